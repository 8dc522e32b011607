import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProviderFake } from '#tests/fakes/model-providers/start-provider-fake.ts'
import { parseConversation } from '#tests/model-conversation.ts'
import { median, registerPerson, report, startKeeper } from './measure.ts'

// A coordinator of four agents adds at most 20 ms to its slowest agent and its own calls. Baseline: the same requests, made directly.

const port = 15_808
const rounds = 15
const names = ['North', 'East', 'South', 'West']
const slowestAnswerMs = 400
const dataDir = mkdtempSync(join(tmpdir(), 'keeper-bench-'))
const provider = await startProviderFake({
  provider: 'openai',
  keyless: true,
  answer(_, request) {
    const { system, tools, results } = parseConversation(request)
    const agent = names.findIndex((name) => system.startsWith(name))
    if (agent >= 0) return { text: 'A short answer.', afterMs: slowestAnswerMs - 50 * agent }
    if (results.length > 0) return { text: 'All have answered.' }
    return { calls: tools.map((name) => ({ name, arguments: { input: 'Where are you?' } })) }
  },
})
const keeper = await startKeeper({
  PORT: String(port),
  KEEPER_DATA_DIR: dataDir,
  OPENAI_BASE_URL: provider.baseUrl,
})
const url = `http://127.0.0.1:${port}/api/kip/agents`
const token = await registerPerson(`http://127.0.0.1:${port}`)

async function postJson(body: object, address = url): Promise<Record<string, unknown>> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const answer = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) })
  const { data, ...otherFields } = (await answer.json()) as { data?: Record<string, unknown> }
  if (!answer.ok) throw new Error(JSON.stringify(otherFields))
  return data ?? otherFields
}
for (const name of names) await postJson({ name, purpose: `${name} answers.` })
const bundle = names.map((name) => name.toLowerCase())
const { id } = await postJson({ name: 'Compass', purpose: 'Asks.', agent_class: 'Coordinator', config: { bundle } })

const measureMs = async (work: () => Promise<unknown>) => {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}
const callProvider = (body: unknown) => postJson(body as object, `${provider.baseUrl}/chat/completions`)
const runCoordinator = () => postJson({ action: 'run', agentId: id, input: 'Where is everybody?' })

await runCoordinator()
const requestBodies = provider.requests.map(({ body }) => body)
if (requestBodies.length !== 6) throw new Error(`one run made ${requestBodies.length} requests, not 6`)
const baselineTimesMs: number[] = []
const totalsMs: number[] = []
for (let round = 0; round < rounds; round++) {
  totalsMs.push(await measureMs(runCoordinator))
  baselineTimesMs.push(
    await measureMs(async () => {
      await callProvider(requestBodies[0])
      await Promise.all(requestBodies.slice(1, 5).map(callProvider))
      await callProvider(requestBodies[5])
    }),
  )
}
const [totalMs, baselineMs] = [median(totalsMs), median(baselineTimesMs)]
const addedMs = totalMs - baselineMs
report(
  'a coordinator of four agents',
  `${addedMs.toFixed(1)} ms added to the ${baselineMs.toFixed(0)} ms of its slowest agent and its own calls, ${(totalMs / baselineMs).toFixed(3)} times the baseline`,
  '20 ms',
  addedMs <= 20,
)

await keeper.stop()
await provider.close()
rmSync(dataDir, { recursive: true })
