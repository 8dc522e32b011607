import { main } from '#server/main.ts'

/** Starts Keeper from its sources as `npm start` does and, once it is up, ends it in good order. */
await main()
process.kill(process.pid, 'SIGTERM')
