import { agents } from '#contract/agents/agents.ts'
import { chat } from '#contract/agents/chat.ts'
import type { Provider } from '#contract/agents/model-settings.ts'
import { diagnostics, type ModelProviderTest } from '#contract/diagnostics/diagnostics.ts'
import { getProviderName } from '#contract/providers/registry.ts'
import { CheckFailed, type DiagnosticCheck } from './check.ts'
import { personalKeysPage } from './checks-when-signed-in.ts'
import { requireSuccess } from './server-request.ts'

/** The server's own timeout is slightly shorter. */
const providerTimeoutMs = 30_000
const answerTimeoutMs = 60_000

/** The answer is not reported: it may quote the person's entries. */
const chatWithKip: DiagnosticCheck = {
  id: 'chat',
  name: 'Chat with kip',
  meaning: 'An agent answers, with a key or in mock mode.',
  remedy: 'Check the provider tests below and the key. “Fix Kip provider” restores Kip’s provider and model.',
  needsSignIn: true,
  async run({ request, user }) {
    // A session of its own, so that the chat list stays unchanged.
    const session = { agentId: 'kip', sessionName: 'Diagnostics' }
    const created = await request(agents.createSession, { body: session, regardless: true })
    const { id: sessionId } = requireSuccess(agents.createSession, created).data as { id: string }
    try {
      const body = {
        agentId: 'kip',
        input: 'Answer with one word: ping',
        userId: user?.id,
        sessionId,
        origin: 'diagnostics',
      }
      const answer = await request(agents.run, { body, timeoutMs: answerTimeoutMs })
      const { run_id, code } = { ...(answer.body as object), ...(answer.data as object) } as Record<string, unknown>
      const about = { agentId: 'kip', ...answer.about, run_id, code }
      const { error } = (answer.body ?? {}) as { error?: unknown }
      if (answer.status !== 200)
        throw new CheckFailed(`POST run: ${typeof error === 'string' ? error : `answered ${answer.status}`}`, {
          ...about,
          error,
        })
      const { data } = requireSuccess(agents.run, answer)
      const { mock_mode, response, model } = data as { mock_mode: boolean; response: string; model?: string }
      const detail = { ...about, model, mock_mode, characters: response.length }
      if (response === '') throw new CheckFailed('Kip’s answer was empty.', detail)
      return { message: mock_mode ? 'Kip answered in mock mode because there is no key' : 'Kip answered', detail }
    } finally {
      // Also after the checks were stopped.
      await request(chat.remove, { params: { sessionId }, regardless: true }).catch(() => undefined)
    }
  },
}

function providerCheck(provider: Provider): DiagnosticCheck {
  return {
    id: `provider-${provider}`,
    name: `${getProviderName(provider)} test`,
    meaning: `${getProviderName(provider)} answers one tiny real call with the key your runs use.`,
    remedy: 'Add or check a key under Personal API Keys. Without one, agents answer in mock mode.',
    remedyLink: personalKeysPage,
    needsSignIn: true,
    tolerated: true,
    async run({ request, user }) {
      const body = { provider, messages: [{ role: 'user', content: 'ping' }], userId: user?.id }
      const answer = await request(diagnostics.modelProviderTest, { body, timeoutMs: providerTimeoutMs })
      const { data, about } = requireSuccess(diagnostics.modelProviderTest, answer)
      const { works, asked: requested, model, key_source, code, run_id, ms } = data as ModelProviderTest
      const { error } = answer.body as { error?: string | null }
      const detail = { ...about, works, asked: requested, model, key_source, code, run_id, provider_ms: ms }
      if (!works) throw new CheckFailed(error ?? 'The test failed.', { ...detail, error })
      return { message: requested === 'voices' ? 'Lists its voices' : `${model} answered`, detail }
    },
  }
}

/** The providers of the specification; other keys are tested when they are saved. */
const testedProviders: Provider[] = ['openai', 'anthropic', 'together', 'elevenlabs']

export const checksOfModels: DiagnosticCheck[] = [chatWithKip, ...testedProviders.map(providerCheck)]
