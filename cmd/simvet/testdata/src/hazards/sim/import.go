package sim

import (
	_ "context"     // want "import: import of context"
	_ "log"         // want "import: import of log"
	_ "net"         // want "import: import of net"
	_ "os"          // want "import: import of os"
	_ "reflect"     // want "import: import of reflect"
	_ "runtime"     // want "import: import of runtime"
	_ "sync"        // want "import: import of sync"
	_ "sync/atomic" // want "import: import of sync/atomic"
	_ "unsafe"      // want "import: import of unsafe"
)
