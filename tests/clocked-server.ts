import { main } from '#server/main.ts'

/*
 * The server from the sources with a clock that the process which started it sets: each message is how many milliseconds
 * it is ahead. `AHEAD` is where it begins. What people run has no such clock.
 */

let ahead = Number(process.env.AHEAD ?? 0)
process.on('message', (milliseconds: number) => {
  ahead = milliseconds
})

await main({ now: () => new Date(Date.now() + ahead) })
