import { fdatasync, openSync, write } from 'node:fs'
import { createServer } from 'node:http'
import { promisify } from 'node:util'

// The floor of create-agent.ts: parses the body, appends it to a file, and answers once fdatasync returned for the
// group it arrived in.

const [path = '', port = '0'] = process.argv.slice(2)
const file = openSync(path, 'a')
const append = promisify(write)
const sync = promisify(fdatasync)

let waiting: { line: string; done: () => void }[] = []
let writing = false

async function flush(): Promise<void> {
  if (writing) return
  writing = true
  while (waiting.length > 0) {
    const group = waiting
    waiting = []
    await append(file, group.map(({ line }) => line).join(''))
    await sync(file)
    for (const { done } of group) done()
  }
  writing = false
}

createServer((request, answer) => {
  let body = ''
  request.setEncoding('utf8')
  request.on('data', (chunk) => {
    body += chunk
  })
  request.on('end', () => {
    if (request.method === 'GET') return answer.end('ok')
    const line = `${JSON.stringify(JSON.parse(body))}\n`
    waiting.push({
      line,
      done() {
        answer.setHeader('content-type', 'application/json; charset=utf-8')
        answer.end(JSON.stringify({ success: true, data: JSON.parse(body) }))
      },
    })
    void flush()
  })
}).listen(Number(port), '127.0.0.1')
