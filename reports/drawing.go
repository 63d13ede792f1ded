package reports

import "github.com/ackgap/ackgap/model"

// Drawing is a picture that was drawn elsewhere in the classes of our pictures (ink, dim,
// bad, delivery, ack, refused; s for a stroke, f for a filled shape), as charts are.
type Drawing struct {
	Title      string // what it shows, in a few words; untrusted
	Wide, High int    // in pixels
	Body       []byte // the elements within the svg element; trusted
}

// AppendDrawing appends d as a picture that stands alone, without fonts, scripts or
// links, for a light and for a dark ground.
func AppendDrawing(b []byte, d *Drawing) []byte {
	b = append(b, `<svg xmlns="http://www.w3.org/2000/svg" `...)
	b = append(append(b, d.frame()...), `><style>`+colors()+svgStyle+`</style>`...)
	b = append(b, `<rect class="ground" width="100%" height="100%" fill="currentColor"/>`...)
	b = append(b, d.inside()...)
	return append(b, "</svg>\n"...)
}

func (d *Drawing) frame() string {
	w, h := itoa(d.Wide), itoa(d.High)
	return `viewBox="0 0 ` + w + " " + h + `" width="` + w + `" height="` + h + `" role="img"`
}

// inside is what stands within the svg element.
func (d *Drawing) inside() string {
	return `<title>` + escaped(model.Safe(d.Title)) + `</title><g font-family="system-ui,'Liberation Sans',sans-serif">` + string(d.Body) + `</g>`
}
