import type { Usage } from '#contract/agents/runs.ts'
import { cleanOneLine } from '#contract/one-line-text.ts'
import { DiskFull } from '#server/db/database-errors.ts'
import { measureMp3Seconds, storeRecording } from '#server/media/store-recording.ts'
import { estimateTokens } from '#server/models/estimate-tokens.ts'
import { ModelFailure } from '#server/models/model-failure.ts'
import { type Speech, speak } from '#server/models/speak.ts'
import { fetchVoicesForKey } from '../../model-lists/provider-lists.ts'
import { retryWhileBusy, toCallOutcome } from '../../usage/settlement.ts'
import { createRetryBudgetCheck, saveKeyVerdict } from './call-model.ts'
import { type RunContext, RunFailure, type RunOutcome, type RunPlan } from './run-context.ts'

export async function speakAnswer(context: RunContext, plan: RunPlan): Promise<RunOutcome> {
  const { services, run } = context
  const text = plan.messages.at(-1)?.content ?? ''
  const voice = await chooseVoice(context, plan)
  const { speech, usage } = await speakAndRecordCost(context, plan, { text, voiceId: voice.id })
  const { mime, bytes } = speech
  const owner = { runId: run.id, personId: run.personId, visitorId: run.visitorId }
  const recording = { id: services.newId(), ...owner, mime, bytes }
  try {
    await retryWhileBusy(services, () => storeRecording(services, recording))
  } catch (error) {
    services.log.error({ err: error, runId: run.id }, 'a recording could not be saved')
    throw error instanceof DiskFull
      ? new RunFailure('storage-full', 'The recording couldn’t be saved: the disk is full.')
      : new RunFailure('not-stored', 'The recording couldn’t be saved. Try again in a moment.')
  }
  const response = describeSpeech(text, voice.name, speech)
  run.append(response)
  return {
    status: 'success',
    errorCode: null,
    error: null,
    response,
    output: { type: 'audio', mime, url: `/api/kip/runs/${run.id}/audio`, bytes: bytes.length },
    usage,
  }
}

async function chooseVoice({ services, trace }: RunContext, { agent, key }: RunPlan): Promise<ChosenVoice> {
  const { voice_id, voice_name } = agent.config
  if (voice_id) return { id: voice_id, name: voice_name }
  const voices = await fetchVoicesForKey(services, key)
  if (voices === null) return { id: '', name: undefined }
  const [firstVoice] = voices
  if (!firstVoice)
    throw new RunFailure(
      'voice-missing',
      'This agent has no voice, and neither does the ElevenLabs account behind this key. Add a voice there.',
    )
  const name = cleanOneLine(firstVoice.name) || firstVoice.id
  trace.addNote(`The agent has no voice set, so Keeper used ${name}, the first voice in the ElevenLabs account.`)
  return { id: firstVoice.id, name }
}

interface ChosenVoice {
  id: string
  name: string | undefined
}

/** Recorded immediately, because speech costs money even if it can't be stored. */
async function speakAndRecordCost(
  { services, run, trace, ledger }: RunContext,
  { agent, settings, key, reservation }: RunPlan,
  { text, voiceId }: { text: string; voiceId: string },
): Promise<{ speech: Speech; usage: Usage }> {
  const startedAt = performance.now()
  let lostResponseCount: number | undefined
  const keyReference = { provider: agent.model_provider, key }
  const recordUsage = (input_tokens: number, outcome: Parameters<typeof ledger.record>[3]) => {
    const usage = ledger.record(reservation, startedAt, { input_tokens, output_tokens: 0, estimated: true }, outcome)
    trace.recordUsage(usage)
    return usage
  }
  const speech = await speak(
    services.modelRuntime,
    {
      settings,
      text,
      voiceId,
      credential: { key: key.key, baseUrl: key.baseUrl },
      signal: run.abortController.signal,
      reserveRetry: createRetryBudgetCheck(trace, reservation),
    },
    (event) => {
      trace.recordEvent(event)
      if (event.type === 'finish') lostResponseCount = event.lostResponseCount
    },
  ).catch(async (error: unknown) => {
    recordUsage(0, toCallOutcome(error))
    if (error instanceof ModelFailure) await saveKeyVerdict(services, keyReference, error)
    throw error
  })
  void saveKeyVerdict(services, keyReference, 'works')
  // Billed by the character under a subscription, so a run's cost is unknown.
  return { speech, usage: recordUsage(estimateTokens(text), { failure: null, lostResponseCount }) }
}

function describeSpeech(text: string, voice: string | undefined, { mime, bytes }: Speech): string {
  const characterCount = [...text].length
  const seconds = mime === 'audio/mpeg' ? measureMp3Seconds(bytes) : null
  const voiceSuffix = voice ? ` as ${voice}` : ''
  return [
    `Spoke ${characterCount.toLocaleString('en-US')} ${characterCount === 1 ? 'character' : 'characters'}${voiceSuffix}`,
    ...(seconds === null ? [] : [formatClock(Math.round(seconds))]),
    `${mime === 'audio/mpeg' ? 'MP3' : mime.slice('audio/'.length).toUpperCase()}.`,
  ].join(', ')
}

function formatClock(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
