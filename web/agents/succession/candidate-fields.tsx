import { useState } from 'react'
import type { ModelDetails } from '#contract/agents/models.ts'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { useModelList } from '../form/provider-lists.ts'
import { getRetirementText } from '../form/retirement-text.ts'
import type { AgentToCompare } from './compare-models.tsx'
import { chooseCandidates } from './model-stats.ts'

export interface Candidates {
  /** The second is empty if only one other model exists or none was chosen. */
  chosen: readonly [string, string]
  choose: (index: 0 | 1, model: string) => void
  options: { value: string; label: string }[]
  isLoading: boolean
  problem: string | undefined
}

export function useCandidates({ provider, model, replacement }: AgentToCompare): Candidates {
  const { list, loading } = useModelList(provider)
  const [pickedModels, setPickedModels] = useState<readonly [string?, string?]>([])
  const details = list?.details.find((candidate) => candidate.model === model)
  const chosen = chooseCandidates(
    { current: model, replacement: replacement ?? details?.replacement ?? null, recommended: list?.recommended ?? [] },
    pickedModels,
  )
  const offeredModels = (list?.details ?? []).filter(
    (candidate) => candidate.status !== 'shut-down' && candidate.model !== model,
  )
  return {
    chosen,
    choose: (index, next) => setPickedModels(index === 0 ? [next, pickedModels[1]] : [pickedModels[0], next]),
    options: offeredModels.map((candidate) => ({ value: candidate.model, label: toOptionText(candidate) })),
    isLoading: loading,
    problem:
      chosen[0] === '' ? 'Choose a model.' : chosen[0] === chosen[1] ? 'Choose two different models.' : undefined,
  }
}

function toOptionText(details: ModelDetails): string {
  const { model, price } = details
  const priceText = price && `$${price.input_usd} in, $${price.output_usd} out per million tokens`
  return [model, priceText, getRetirementText(details)].filter(Boolean).join(' · ')
}

export function CandidateFields({ candidates }: { candidates: Candidates }) {
  const { chosen, choose, options, isLoading, problem } = candidates
  return (
    <div className="grid grid-cols-2 gap-x-[18px] gap-y-4 phone:grid-cols-1">
      {([0, 1] as const).map((index) => (
        <SelectField
          key={index}
          label={index === 0 ? 'First candidate' : 'Second candidate'}
          options={index === 0 ? includeModel(options, chosen[0]) : [noModel, ...includeModel(options, chosen[1])]}
          value={chosen[index]}
          placeholder={isLoading ? 'Loading...' : index === 0 ? 'Choose a model' : undefined}
          onChange={(event) => choose(index, event.currentTarget.value)}
          error={!isLoading && (chosen[0] === '' ? index === 0 : index === 1) ? problem : undefined}
        />
      ))}
    </div>
  )
}

const noModel = { value: '', label: 'None' }

/** A replacement named by a provider may not be in its list. */
function includeModel(options: Candidates['options'], model: string): Candidates['options'] {
  if (model === '' || options.some(({ value }) => value === model)) return options
  return [{ value: model, label: model }, ...options]
}
