story double-admission-seed-11-shrunk
queue echomq variant=double-admission
job J1

fault duplicate enqueue J1 after=1ms
