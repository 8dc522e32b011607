import type { RunSpan } from '#contract/agents/runs.ts'

/** What each kind of step is painted with, wherever a trace is drawn. */
export const spanPigments: Record<RunSpan['kind'], string> = {
  coordinator: 'bg-chart3',
  agent: 'bg-chart1',
  model: 'bg-chart1',
  tool: 'bg-chart2',
  memory: 'bg-chart4',
  wait: 'bg-input',
}
