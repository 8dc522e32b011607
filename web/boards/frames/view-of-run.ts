import type { RunDetail } from '#contract/agents/runs.ts'
import { answerOf } from '#web/agents/runs/log-words.ts'
import { begun, type RunView } from '#web/agents/runs/run-view.ts'

/** Converts a stored run to the view of a streamed one. */
export function viewOfRun(run: RunDetail): RunView {
  const { status, mock_mode, model, usage, tools, sources, spans, execution_time_ms, error } = run
  return {
    ...begun(run.id),
    status,
    text: answerOf(run) ?? '',
    mock: mock_mode,
    model,
    usage,
    tools,
    sources,
    spans,
    ms: execution_time_ms ?? undefined,
    reason: error ?? undefined,
  }
}
