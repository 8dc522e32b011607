import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/*
 * The built server with a clock set by the parent process: each message is the offset in milliseconds. The production
 * entry has no such clock.
 */

const bundle = pathToFileURL(resolve(import.meta.dirname, '../../dist/server/main.js')).href
const { main } = (await import(bundle)) as typeof import('#server/main.ts')

let offsetMs = 0
process.on('message', (nextOffsetMs: number) => {
  offsetMs = nextOffsetMs
  process.send?.('set')
})

// The journey's fakes run on this machine; KEEPER_FETCH_HOSTS still has to allow it.
const egress = { ports: Array.from({ length: 65_536 }, (_, port) => port), canConnect: () => true }
await main({ now: () => new Date(Date.now() + offsetMs), egress })
