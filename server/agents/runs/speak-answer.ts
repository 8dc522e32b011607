import type { Services } from '#server/services.ts'
import type { Outcome, RunPlan } from './run-plan.ts'
import type { LiveRun } from './run-registry.ts'
import type { RunTrace } from './run-trace.ts'

/** Has ElevenLabs speak the input instead of asking a model, and keeps the recording. @throws ModelFailure */
export async function speakAnswer(
  _services: Services,
  _run: LiveRun,
  _plan: RunPlan,
  _trace: RunTrace,
): Promise<Outcome> {
  throw new Error('not built yet')
}
