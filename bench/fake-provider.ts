import { createServer } from 'node:http'

// A fake model provider for streaming-relay.ts and the load gates. An answer has 100 chunks, 4 if the request contains
// "short", or as many as its `pieces=…` says. One is sent every 50 ms and contains the time at which it was sent.

const chunkIntervalMs = 50
const formatChunk = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: 'chatcmpl-bench', object: 'chat.completion.chunk', created: 1, model: 'gpt-4o', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`

function createEmbeddings(body: string): string {
  const { input, dimensions = 1536 } = JSON.parse(body) as { input: string | string[]; dimensions?: number }
  const data = [input].flat().map((text, index) => {
    const embedding = Array.from({ length: dimensions }, (_, dimension) => Math.sin(text.length * (dimension + 1)))
    return { object: 'embedding', index, embedding }
  })
  const usage = { prompt_tokens: 1, total_tokens: 1 }
  return JSON.stringify({ object: 'list', model: 'text-embedding-3-small', data, usage })
}

createServer((request, answer) => {
  if (request.method === 'GET') return answer.end('ok')
  let body = ''
  request.on('data', (part) => {
    body += part
  })
  request.on('end', () => {
    if (request.url?.endsWith('/embeddings')) return answer.end(createEmbeddings(body))
    const requestedChunks = [...body.matchAll(/pieces=(\d+)/g)].at(-1)?.[1]
    const chunkCount = Number(requestedChunks ?? (body.includes('"short"') ? 4 : 100))
    answer.writeHead(200, { 'content-type': 'text/event-stream' })
    let sentCount = 0
    const timer = setInterval(() => {
      if (++sentCount <= chunkCount) {
        answer.write(
          formatChunk({ role: 'assistant', content: `<${(performance.timeOrigin + performance.now()).toFixed(1)}> ` }),
        )
        return
      }
      clearInterval(timer)
      answer.write(formatChunk({}, 'stop'))
      answer.write(
        `data: ${JSON.stringify({ id: 'chatcmpl-bench', object: 'chat.completion.chunk', created: 1, model: 'gpt-4o', choices: [], usage: { prompt_tokens: 1, completion_tokens: chunkCount, total_tokens: chunkCount + 1 } })}\n\n`,
      )
      answer.end('data: [DONE]\n\n')
    }, chunkIntervalMs)
    answer.on('close', () => clearInterval(timer))
  })
}).listen(Number(process.argv[2]), '127.0.0.1')
