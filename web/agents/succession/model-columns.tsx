import type { ComparedModels, GoldenRun } from '#contract/agents/golden-questions.ts'
import { formatDuration, formatRunCost } from '../runs/run-texts.ts'
import { toModelStats } from './model-stats.ts'

export function getComparedColumns(models: ComparedModels): { key: keyof ComparedModels; model: string }[] {
  return (['before', 'after', 'second'] as const).flatMap((key) => {
    const model = models[key]
    return model === undefined ? [] : [{ key, model }]
  })
}

export function ModelColumns({ run, models }: { run: GoldenRun; models: ComparedModels }) {
  return (
    <ul aria-label="Models compared" className="mb-4 grid grid-cols-1 gap-3 @min-[720px]:grid-cols-3">
      {getComparedColumns(models).map(({ key, model }) => {
        const { passed, answered, costUsd, medianMs } = toModelStats(run.results, key)
        return (
          <li key={key} className="min-w-0 rounded-md border border-border bg-card px-3.5 py-2.5">
            <p className="text-small text-muted-foreground">{key === 'before' ? 'Now' : 'Candidate'}</p>
            <p className="font-mono text-ui font-medium wrap-anywhere">{model}</p>
            <dl className="mt-1.5 grid grid-cols-[auto_1fr] gap-x-3 text-small tabular-nums">
              <dt className="text-muted-foreground">Passes</dt>
              <dd>
                {passed} of {answered}
              </dd>
              <dt className="text-muted-foreground">Price</dt>
              <dd>{answered === 0 ? '–' : formatRunCost(costUsd)}</dd>
              <dt className="text-muted-foreground">Median time</dt>
              <dd>{formatDuration(medianMs)}</dd>
            </dl>
          </li>
        )
      })}
    </ul>
  )
}
