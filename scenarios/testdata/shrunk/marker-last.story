story marker-last-seed-3-shrunk
queue echomq
workers 2 consumer=marker-last
job J1

fault pause w1 before=mark J1#1 for=45s
