import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { report, startKeeper } from '../bench/measure.ts'
import { startProviderFake } from '../tests/fakes/model-providers/start-provider-fake.ts'
import { Inspector } from './load/inspector.ts'
import { LoadClient, parseData } from './load/load-client.ts'

// After everyone signed out, no string in memory holds their texts, requests, passwords, tokens or keys. Not checked: buffers, SQLite's pages.

const [port, inspectorPort] = [15_861, 15_862]
/** Longer than the one-minute caches last. */
const settleMs = 75_000
const personCount = 8
const fake = await startProviderFake({ provider: 'openai', wordDelayMs: 1 })

interface RetainedSecrets {
  kinds: Map<string, number>
  secretCount: number
  stringCount: number
}

async function measureRetained(plantedImport: string, waitMs: number): Promise<RetainedSecrets> {
  const dataDir = mkdtempSync(join(tmpdir(), 'keeper-heap-'))
  const wholeStringsImport = `--import=${import.meta.resolve('./load/whole-strings.ts')}`
  const keeper = await startKeeper({
    PORT: String(port),
    KEEPER_DATA_DIR: dataDir,
    OPENAI_BASE_URL: fake.baseUrl,
    KEEPER_REGISTRATIONS_PER_HOUR: '1000',
    NODE_OPTIONS: `${wholeStringsImport} ${plantedImport} --inspect=127.0.0.1:${inspectorPort} --inspect-publish-uid=http`,
  })
  const client = new LoadClient(`http://127.0.0.1:${port}`)
  const secrets = new Map<string, string>()
  for (let number = 0; number < personCount; number++)
    await simulateDay(
      client,
      (kind) => {
        const word = `${kind.replaceAll(' ', '')}${randomBytes(9).toString('hex')}`
        secrets.set(word, kind)
        return word
      },
      (kind, secret) => secrets.set(secret, kind),
    )
  client.close()
  await delay(waitMs)
  const inspector = await Inspector.open(inspectorPort)
  const strings = await inspector.readStrings()
  inspector.close()
  keeper.process.kill('SIGKILL')
  rmSync(dataDir, { recursive: true })
  const heapText = [...strings].join('\n')
  const kinds = new Map<string, number>()
  for (const [word, kind] of secrets) if (heapText.includes(word)) kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  return { kinds, secretCount: secrets.size, stringCount: strings.size }
}

async function simulateDay(
  client: LoadClient,
  createSecret: (kind: string) => string,
  recordSecret: (kind: string, secret: string) => void,
): Promise<void> {
  const [password, email] = [createSecret('password'), `${createSecret('address')}@keeper.example`]
  let token = ''
  const callApi = async <T>(method: string, path: string, body?: unknown) =>
    parseData<T>(await client.request(method, path, { ...(token && { token }), body }))
  const signIn = async (path: string, body: unknown) => {
    token = (await callApi<{ token: string }>('POST', path, body)).token
    recordSecret('token', token)
  }
  await signIn('/api/kam/auth/register', { email, password, name: createSecret('name') })
  await callApi('POST', '/api/kip/user-keys', { provider: 'openai', apiKey: `sk-${createSecret('key of a provider')}` })
  const keeper = await callApi<{ id: string }>('POST', '/api/keeper/keepers', {
    title: createSecret('title'),
    purpose: createSecret('purpose'),
    keeperType: 'journal',
    memoryPattern: 'sole',
  })
  const keeperPath = `/api/keeper/keepers/${keeper.id}`
  await callApi('POST', `${keeperPath}/moments`, { body: createSecret('moment'), topics: [createSecret('topic')] })
  const reflection = await callApi<{ id: string }>('POST', `${keeperPath}/reflections`, {
    content: createSecret('reflection'),
  })
  await callApi('POST', `/api/keeper/reflections/${reflection.id}/promote`, {})
  // Searches go to a provider only if a card was embedded by one.
  await callApi('POST', `${keeperPath}/memory-cards/generate-embeddings`, {})
  for (let embedded = 0; embedded === 0; await delay(50))
    ({ embedded } = await callApi<{ embedded: number }>('GET', `${keeperPath}/memory-cards/embedding-status`))
  await callApi('GET', `${keeperPath}/moments?limit=20`)
  await callApi('GET', `${keeperPath}/memory-cards/search?query=${createSecret('search')}`)
  const agent = await callApi<{ id: string }>('POST', '/api/kip/agents', {
    name: createSecret('agent'),
    purpose: createSecret('instructions'),
    memory_enabled: true,
    model_provider: 'openai',
  })
  const session = await callApi<{ id: string }>('POST', '/api/kip/agents', {
    action: 'createSession',
    agentId: agent.id,
  })
  const runBody = { action: 'run', agentId: agent.id, sessionId: session.id }
  await callApi('POST', '/api/kip/agents', { ...runBody, input: `Say ${createSecret('question')}.` })
  const streamed = await client.stream('POST', '/api/kip/agents', {
    token,
    body: { ...runBody, input: `Say ${createSecret('streamed question')} as you go.` },
  })
  await streamed.finished
  if (!streamed.text().includes('event: done')) throw new Error(`the chat did not end well: ${streamed.text()}`)
  const board = await callApi<{ id: string }>('POST', '/api/boards', { name: createSecret('board') })
  await callApi('GET', `/api/board-data?boardId=${board.id}`)
  const newPassword = createSecret('second password')
  await callApi('POST', '/api/kam/auth/password', { currentPassword: password, newPassword })
  await callApi('POST', '/api/kam/auth/logout', {})
  token = ''
  await client.request('POST', '/api/kam/auth/login', { body: { email, password: createSecret('wrong password') } })
  await signIn('/api/kam/auth/login', { email, password: newPassword })
  await callApi('POST', '/api/kam/auth/logout', {})
}

const formatRetained = ({ kinds, secretCount, stringCount }: RetainedSecrets) =>
  `${[...kinds].map(([kind, count]) => `${count} × ${kind}`).join(', ') || 'none'} of ${secretCount} secrets in ${stringCount.toLocaleString('en-US')} strings`

const control = await measureRetained(`--import=${import.meta.resolve('./load/planted-memory.ts')}`, 0)
report(
  'control: a server that keeps every request',
  formatRetained(control),
  'must be noticed: passwords, tokens, keys, moments',
  ['password', 'token', 'key of a provider', 'moment'].every((kind) => (control.kinds.get(kind) ?? 0) >= personCount),
)
const retained = await measureRetained('', settleMs)
report(
  `texts and credentials of ${personCount} people, ${settleMs / 1000} s after they left`,
  formatRetained(retained),
  'none',
  retained.kinds.size === 0,
)
await fake.close()
