import { createServer } from 'node:http'

// A provider for streaming-relay.ts: 100 pieces (4 when asked for "short"), one every 50 ms, each saying when it was sent.

const everyMs = 50
const chunk = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: 'chatcmpl-bench', object: 'chat.completion.chunk', created: 1, model: 'gpt-4o', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`

createServer((request, answer) => {
  if (request.method === 'GET') return answer.end('ok')
  let body = ''
  request.on('data', (data) => {
    body += data
  })
  request.on('end', () => {
    const pieces = body.includes('"short"') ? 4 : 100
    answer.writeHead(200, { 'content-type': 'text/event-stream' })
    let sent = 0
    const timer = setInterval(() => {
      if (++sent <= pieces) {
        answer.write(
          chunk({ role: 'assistant', content: `<${(performance.timeOrigin + performance.now()).toFixed(1)}> ` }),
        )
        return
      }
      clearInterval(timer)
      answer.write(chunk({}, 'stop'))
      answer.write(
        `data: ${JSON.stringify({ id: 'chatcmpl-bench', object: 'chat.completion.chunk', created: 1, model: 'gpt-4o', choices: [], usage: { prompt_tokens: 1, completion_tokens: pieces, total_tokens: pieces + 1 } })}\n\n`,
      )
      answer.end('data: [DONE]\n\n')
    }, everyMs)
    answer.on('close', () => clearInterval(timer))
  })
}).listen(Number(process.argv[2]), '127.0.0.1')
