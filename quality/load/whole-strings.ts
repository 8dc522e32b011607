import { setFlagsFromString } from 'node:v8'

// Preloaded with `--import`: otherwise heap snapshots truncate strings after 1,024 characters.

setFlagsFromString('--heap-snapshot-string-limit=100000000')
