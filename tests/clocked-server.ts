import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/*
 * The built server with a clock set by the parent process: each message is the offset in milliseconds, and
 * `AHEAD` the initial one. The production server has no such clock.
 */

const bundle = pathToFileURL(resolve(import.meta.dirname, '../dist/server/main.js')).href
const { main } = (await import(bundle)) as typeof import('#server/main.ts')

let ahead = Number(process.env.AHEAD ?? 0)
process.on('message', (milliseconds: number) => {
  ahead = milliseconds
})

await main({ now: () => new Date(Date.now() + ahead) })
