import { createServer, request } from 'node:http'

// Baseline of streaming-relay.ts: forwards each event's text. `node bench/baseline-relay.ts <port> <provider port>`.

const [port, providerPort] = process.argv.slice(2).map(Number)

createServer((incoming, outgoing) => {
  if (incoming.method === 'GET') return outgoing.end('ok')
  outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
  const upstream = request(
    { host: '127.0.0.1', port: providerPort, path: '/v1/chat/completions', method: 'POST', headers: incoming.headers },
    (answer) => {
      let buffered = ''
      answer.setEncoding('utf8')
      answer.on('data', (chunk: string) => {
        const events = (buffered + chunk).split('\n\n')
        buffered = events.pop() ?? ''
        for (const event of events) {
          if (event === 'data: [DONE]') continue
          const { choices } = JSON.parse(event.slice('data: '.length)) as {
            choices: { delta: { content?: string } }[]
          }
          const text = choices[0]?.delta.content
          if (text) outgoing.write(`data: ${JSON.stringify({ type: 'token', text })}\n\n`)
        }
      })
      answer.on('end', () => outgoing.end())
    },
  )
  upstream.on('error', () => outgoing.destroy())
  incoming.pipe(upstream)
}).listen(port, '127.0.0.1')
