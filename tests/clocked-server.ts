import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/*
 * The built server with a clock set by the parent process: each message is the offset from the real time in
 * milliseconds, and `CLOCK_OFFSET_MS` the initial one. The production server has no such clock.
 */

const bundle = pathToFileURL(resolve(import.meta.dirname, '../dist/server/main.js')).href
const { main } = (await import(bundle)) as typeof import('#server/main.ts')

let offsetMs = Number(process.env.CLOCK_OFFSET_MS ?? 0)
process.on('message', (nextOffsetMs: number) => {
  offsetMs = nextOffsetMs
})

await main({ now: () => new Date(Date.now() + offsetMs) })
