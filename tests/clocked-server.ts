import { main } from '#server/main.ts'

/*
 * The server from the sources with a clock set by the parent process: each message is the offset in milliseconds, and
 * `AHEAD` the initial one. The production server has no such clock.
 */

let ahead = Number(process.env.AHEAD ?? 0)
process.on('message', (milliseconds: number) => {
  ahead = milliseconds
})

await main({ now: () => new Date(Date.now() + ahead) })
