import { createInterface } from 'node:readline'

// For MCP clients that start a program instead of calling an address: each line of standard input is sent to /mcp, and
// each answer is one line of standard output. Messages to people go to standard error.

const { KEEPER_URL: address, KEEPER_TOKEN: token } = process.env
let negotiatedVersion: string | undefined

if (!address || !token) {
  console.error(
    'Set KEEPER_URL to the address of your Keeper and KEEPER_TOKEN to an access token (under Your API Keys).',
  )
  process.exit(1)
}
const url = new URL('/mcp', address)

for await (const line of createInterface({ input: process.stdin })) if (line.trim() !== '') await forward(line)

async function forward(line: string): Promise<void> {
  const message = parse(line)
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...getProtocolHeaders(message), authorization: `Bearer ${token}` },
      body: line,
      signal: AbortSignal.timeout(120_000),
    })
    const text = await response.text()
    if (response.status === 202) return
    const answers = readAnswers(response.headers.get('content-type') ?? '', text)
    if (answers.length === 0 || !answers.every(isAnswer))
      return answerFailure(message, `Keeper answered ${response.status}${getReason(answers)}`)
    for (const answer of answers) {
      rememberVersion(answer)
      process.stdout.write(`${answer.replaceAll('\n', ' ')}\n`)
    }
  } catch (error) {
    answerFailure(message, `${url.host} couldn’t be reached: ${(error as Error).message}`)
  }
}

/** Clients without `initialize` get JSON, the others an event stream. */
function readAnswers(contentType: string, text: string): string[] {
  if (contentType.startsWith('application/json')) return [text]
  if (!contentType.startsWith('text/event-stream')) return []
  return text.split('\n').flatMap((line) => (line.startsWith('data:') ? [line.slice('data:'.length).trim()] : []))
}

/** Whether the text is in MCP's format. Keeper refuses in another format before it reads a message. */
function isAnswer(text: string): boolean {
  return Object.hasOwn(JSON.parse(text) as object, 'jsonrpc')
}

function getReason([text = '{}']: string[]): string {
  const { error, error_description } = JSON.parse(text) as Record<string, string | undefined>
  const reason = error_description ?? error
  return reason === undefined || reason === 'invalid_token' ? '.' : `: ${reason}`
}

interface Message {
  id?: unknown
  method?: string
  params?: { name?: string; uri?: string; _meta?: Record<string, unknown> }
}

function parse(line: string): Message {
  try {
    return JSON.parse(line) as Message
  } catch {
    return {}
  }
}

/** Headers of protocol versions since 2026-07-28 repeat the body; those of earlier ones name the negotiated version. */
function getProtocolHeaders({ method, params }: Message): Record<string, string> {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const requested = params?._meta?.['io.modelcontextprotocol/protocolVersion']
  const protocolVersion = typeof requested === 'string' ? requested : negotiatedVersion
  const name = params?.name ?? params?.uri
  return {
    ...headers,
    ...(protocolVersion && { 'mcp-protocol-version': protocolVersion }),
    ...(typeof requested === 'string' && method && { 'mcp-method': method, ...(name && { 'mcp-name': name }) }),
  }
}

function rememberVersion(text: string): void {
  const { result } = JSON.parse(text) as { result?: { protocolVersion?: string } }
  negotiatedVersion = result?.protocolVersion ?? negotiatedVersion
}

function answerFailure({ id }: Message, message: string): void {
  console.error(message)
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32603, message } }))
}
