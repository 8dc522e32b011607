import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/*
 * The built server with a clock that the process which started it sets: each message is how many milliseconds it is
 * ahead. What people run is `dist/server/main.js` itself, which has no such clock.
 */

const bundle = pathToFileURL(resolve(import.meta.dirname, '../../dist/server/main.js')).href
const { main } = (await import(bundle)) as typeof import('#server/main.ts')

let ahead = 0
process.on('message', (milliseconds: number) => {
  ahead = milliseconds
  process.send?.('set')
})

// Other servers of a journey are on this machine; KEEPER_FETCH_HOSTS still has to name it.
const egress = { ports: Array.from({ length: 65_536 }, (_, port) => port), mayConnect: () => true }
await main({ now: () => new Date(Date.now() + ahead), egress })
