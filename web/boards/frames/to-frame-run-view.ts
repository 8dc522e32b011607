import type { RunDetail } from '#contract/agents/runs.ts'
import { getAnswerText } from '#web/agents/runs/log-texts.ts'
import { createRunView, type RunView } from '#web/agents/runs/run-view.ts'

/** Converts a stored run to the view of a streamed one. */
export function toFrameRunView(run: RunDetail): RunView {
  const { status, mock_mode, model, usage, tools, sources, spans, execution_time_ms, error } = run
  return {
    ...createRunView(run.id),
    status,
    text: getAnswerText(run) ?? '',
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
