import { main } from '../../server/main.ts'

await main()
process.kill(process.pid, 'SIGTERM')
