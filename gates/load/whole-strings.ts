import { setFlagsFromString } from 'node:v8'

// Loaded before the server by `--import`: else a snapshot of the heap cuts every string after 1,024 characters.

setFlagsFromString('--heap-snapshot-string-limit=100000000')
