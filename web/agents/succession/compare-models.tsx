import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { GoldenRun } from '#contract/agents/golden-questions.ts'
import type { Provider } from '#contract/agents/model-settings.ts'
import type { ModelDetails } from '#contract/agents/models.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { ErrorText } from '#web/ui/panels/error-text.tsx'
import { SkeletonRows } from '#web/ui/panels/skeleton.tsx'
import { useModelList } from '../form/provider-lists.tsx'
import { getRetirementText } from '../form/retiring-models.tsx'
import { goldenQuestionsQuery, useGoldenRun, useStartGoldenRun } from '../golden/golden-queries.ts'
import { GoldenRunView } from '../golden/golden-run-view.tsx'
import { getReasonText } from '../runs/reason-text.ts'
import { chooseCandidates } from './model-stats.tsx'
import { useSwitchModel } from './use-switch-model.ts'

interface Candidates {
  /** The second is empty if only one other model exists or none was chosen. */
  chosen: readonly [string, string]
  choose: (index: 0 | 1, model: string) => void
  options: { value: string; label: string }[]
  isLoading: boolean
  problems: readonly [string | undefined, string | undefined]
}

function useCandidates({ provider, model, replacement }: AgentToCompare): Candidates {
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
    problems: findCandidateProblems(chosen),
  }
}

/** By field: the first candidate is required, and the second must differ from it. */
function findCandidateProblems([first, second]: Candidates['chosen']): Candidates['problems'] {
  if (first === '') return ['Choose a model.', undefined]
  return [undefined, first === second ? 'Choose two different models.' : undefined]
}

function toOptionText(details: ModelDetails): string {
  const { model, price } = details
  const priceText = price && `$${price.input_usd} in, $${price.output_usd} out per million tokens`
  return [model, priceText, getRetirementText(details)].filter(Boolean).join(' · ')
}

function CandidateFields({ candidates }: { candidates: Candidates }) {
  const { chosen, choose, options, isLoading, problems } = candidates
  const firstPlaceholder = isLoading ? 'Loading...' : 'Choose a model'
  return (
    <div className="grid grid-cols-2 gap-x-[18px] gap-y-4 phone:grid-cols-1">
      {([0, 1] as const).map((index) => (
        <SelectField
          key={index}
          label={index === 0 ? 'First candidate' : 'Second candidate'}
          options={index === 0 ? includeModel(options, chosen[0]) : [noModel, ...includeModel(options, chosen[1])]}
          value={chosen[index]}
          placeholder={index === 0 || isLoading ? firstPlaceholder : undefined}
          onChange={(event) => choose(index, event.currentTarget.value)}
          error={isLoading ? undefined : problems[index]}
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

export interface AgentToCompare {
  id: string
  name: string
  rev: number
  provider: Provider
  model: string
  replacement?: string | null
}

export default function CompareModels({ agent, onClose }: { agent: AgentToCompare; onClose: () => void }) {
  const latestRun = useGoldenRun(agent.id)
  const [isChoosingAgain, setIsChoosingAgain] = useState(false)
  const switchMutation = useSwitchModel(agent)
  const run = isChoosingAgain || !isComparisonFor(agent, latestRun.run) ? undefined : latestRun.run

  function handleOpenChange(isOpen: boolean) {
    if (!isOpen && !switchMutation.isPending) onClose()
  }
  const switchTo = (model: string, goldenRunId?: string) =>
    switchMutation.mutate({ model, goldenRunId }, { onSuccess: onClose })
  const dialog = { open: true, onOpenChange: handleOpenChange, title: `Compare models for ${agent.name}` } as const

  if (latestRun.isPending)
    return (
      <Dialog {...dialog} size="large">
        <SkeletonRows label="Loading golden runs" rowClassName="h-40" />
      </Dialog>
    )
  if (!run?.models)
    return (
      <CandidateChoice
        agent={agent}
        dialog={dialog}
        onClose={onClose}
        isSwitching={switchMutation.isPending}
        onStarted={() => setIsChoosingAgain(false)}
        onSwitch={switchTo}
      />
    )
  const { after: firstCandidate, second: secondCandidate } = run.models
  const isRunning = run.status === 'running'
  const goldenRunId = run.status === 'done' ? run.id : undefined
  return (
    <Dialog
      {...dialog}
      size="wide"
      description="Nothing is saved."
      footer={
        <>
          <Button disabled={switchMutation.isPending} onClick={onClose}>
            Cancel
          </Button>
          <Button disabled={isRunning || switchMutation.isPending} onClick={() => setIsChoosingAgain(true)}>
            Choose other models
          </Button>
          {[secondCandidate, firstCandidate].map(
            (candidate) =>
              candidate !== undefined && (
                <Button
                  key={candidate}
                  variant={candidate === firstCandidate ? 'primary' : 'outline'}
                  disabled={isRunning || (switchMutation.isPending && switchMutation.variables.model !== candidate)}
                  busy={switchMutation.isPending && switchMutation.variables.model === candidate}
                  onClick={() => switchTo(candidate, goldenRunId)}
                >
                  Switch to {candidate}
                </Button>
              ),
          )}
        </>
      }
    >
      <GoldenRunView agentId={agent.id} run={run} />
    </Dialog>
  )
}

/** A comparison of the saved version that wasn’t stopped. */
function isComparisonFor({ rev, model }: AgentToCompare, run: GoldenRun | undefined): boolean {
  if (run?.models?.before !== model || run.base_version !== rev) return false
  return run.status === 'running' || run.status === 'done'
}

interface CandidateChoiceProps {
  agent: AgentToCompare
  dialog: Pick<Parameters<typeof Dialog>[0], 'open' | 'onOpenChange' | 'title'>
  isSwitching: boolean
  onClose: () => void
  onStarted: () => void
  onSwitch: (model: string) => void
}

function CandidateChoice({ agent, dialog, isSwitching, onClose, onStarted, onSwitch }: CandidateChoiceProps) {
  const { data: questions } = useQuery(goldenQuestionsQuery(agent.id))
  const startRun = useStartGoldenRun(agent.id)
  const candidates = useCandidates(agent)
  const { chosen, problems } = candidates
  const count = questions?.length ?? 0

  const comparison = { compare_models: chosen.filter((model) => model !== '') }

  return (
    <Dialog
      {...dialog}
      size="large"
      description={`Other models answer the golden questions next to ${agent.model}. Nothing is saved.`}
      footer={
        <>
          <Button disabled={isSwitching} onClick={onClose}>
            Cancel
          </Button>
          <Button
            disabled={chosen[0] === '' || startRun.isPending}
            busy={isSwitching}
            onClick={() => onSwitch(chosen[0])}
            className="phone:h-auto! phone:min-h-10 phone:shrink! phone:whitespace-normal!"
          >
            Switch to {chosen[0] || 'another model'} without comparing
          </Button>
          <Button
            variant="primary"
            disabled={problems.some(Boolean) || count === 0 || isSwitching}
            busy={startRun.isPending}
            onClick={() => startRun.mutate(comparison, { onSuccess: onStarted })}
          >
            {count === 1 ? 'Ask the golden question' : `Ask the ${count} golden questions`}
          </Button>
        </>
      }
    >
      <ErrorText className="mb-3">{startRun.error && getReasonText(startRun.error)}</ErrorText>
      <CandidateFields candidates={candidates} />
      <p className="mt-4 text-small text-muted-foreground">
        Each answer is a run of this agent: it appears in the logs and counts toward your budget. {agent.model} gets
        only questions it hasn’t answered yet.
      </p>
    </Dialog>
  )
}
