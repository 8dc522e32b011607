import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Play, Repeat2 } from 'lucide-react'
import { type FormEvent, useEffect, useState } from 'react'
import type { Agent } from '#contract/agents/agents.ts'
import type { Provider } from '#contract/agents/model-settings.ts'
import { type RunDetail, type RunOverrides, runInput, runOverrides } from '#contract/agents/runs.ts'
import { versions } from '#contract/agents/versions.ts'
import { getProviderInfo } from '#contract/providers/registry.ts'
import { call } from '#web/api/api.ts'
import { type Draft, useDraft } from '#web/offline/use-draft.ts'
import { useProviders } from '#web/queries/use-providers.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { Drawer } from '#web/ui/overlays/drawer.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { ErrorText } from '#web/ui/panels/error-text.tsx'
import { SkeletonRows } from '#web/ui/panels/skeleton.tsx'
import { agentsKey, logsKey, useAgentList } from '../agent-queries.ts'
import { type ModelFields, toModelFields } from '../form/agent-form-values.ts'
import { RetryFields, SamplingFields } from '../form/model-setting-fields.tsx'
import { getModelNames, useModelList } from '../form/provider-lists.tsx'
import { SuggestField } from '../form/suggest-field.tsx'
import { useRun } from './run-store.ts'

export interface RunAgainProps {
  run: RunDetail
  onStarted: (runId: string) => void
}

export function RunAgain({ run, onStarted }: RunAgainProps) {
  const [open, setOpen] = useState(false)
  const { data } = useAgentList()
  const agent = data?.source === 'server' ? data.agents.find(({ id }) => id === run.agent?.id) : undefined
  if (!agent?.may.edit) return null
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)} icon={<Repeat2 aria-hidden size={13} />}>
        Run again with changes
      </Button>
      <Drawer
        open={open}
        onOpenChange={setOpen}
        title="Run again with changes"
        className="w-[520px] phone:w-screen phone:max-w-none"
      >
        <PrefilledForm
          run={run}
          agent={agent}
          onStarted={(runId) => {
            setOpen(false)
            onStarted(runId)
          }}
        />
      </Drawer>
    </>
  )
}

function PrefilledForm({ run, agent, onStarted }: RunAgainProps & { agent: Agent }) {
  const { purpose, note } = useRunPurpose(run, agent)
  const queryClient = useQueryClient()
  const { view, start } = useRun()
  const draft = useDraft<RunAgainInput | null>(`kept/run-again-${run.id}`, null)
  const { clear } = draft
  const runId = view?.runId
  useEffect(() => {
    if (!runId) return
    void clear()
    void queryClient.invalidateQueries({ queryKey: logsKey })
    onStarted(runId)
  }, [runId, clear, queryClient, onStarted])

  if (purpose === undefined || !draft.ready)
    return <SkeletonRows label="Loading the agent" count={3} rowClassName="h-20" />
  return (
    <RunAgainForm
      run={run}
      draft={draft}
      purpose={purpose}
      savedPurpose={agent.purpose}
      note={note}
      busy={view?.status === 'running'}
      problem={view && view.status !== 'running' ? view.reason : undefined}
      onRun={(input, overrides) => void start({ agentId: agent.id, input, overrides })}
    />
  )
}

/** The run's purpose: overridden, or from its version. Undefined while loading. */
function useRunPurpose(run: RunDetail, agent: Agent): { purpose: string | undefined; note?: string } {
  const existingPurpose = run.overrides?.purpose ?? (agent.rev === run.agent_version ? agent.purpose : undefined)
  const version = useQuery({
    queryKey: [...agentsKey, 'version', agent.id, run.agent_version],
    queryFn: ({ signal }) => call(versions.show, { params: { agentId: agent.id, version: run.agent_version }, signal }),
    enabled: existingPurpose === undefined,
    retry: false,
  })
  if (existingPurpose !== undefined) return { purpose: existingPurpose }
  if (version.data) return { purpose: version.data.snapshot.purpose }
  if (version.isPending) return { purpose: undefined }
  return {
    purpose: agent.purpose,
    note: `Version ${run.agent_version} couldn’t be loaded. This is the current purpose.`,
  }
}

export interface RunAgainFormProps {
  run: RunDetail
  /** Texts that a person changed; null until then. */
  draft: Draft<RunAgainInput | null>
  purpose: string
  /** The saved purpose; an unchanged one isn't sent. */
  savedPurpose: string
  note?: string | undefined
  busy: boolean
  problem: string | undefined
  onRun: (input: string, overrides: RunOverrides) => void
}

type FieldProblems = Record<string, string>

export interface RunAgainInput {
  input: string
  purpose: string
}

export function RunAgainForm({
  run,
  draft,
  purpose: previousPurpose,
  savedPurpose,
  note,
  busy,
  problem,
  onRun,
}: RunAgainFormProps) {
  const providers = useProviders()
  const { input, purpose } = draft.value ?? { input: run.input, purpose: previousPurpose }
  const changeInput = (changes: Partial<RunAgainInput>) => draft.set({ input, purpose, ...changes })
  const [provider, setProvider] = useState<Provider>(run.model_provider)
  const [fields, setFields] = useState<ModelFields>(() =>
    toModelFields(run.model_settings ?? getProviderInfo(run.model_provider).settings),
  )
  const [problems, setProblems] = useState<FieldProblems>({})
  const models = useModelList(provider)
  const changeFields = (changes: Partial<ModelFields>) => setFields((previous) => ({ ...previous, ...changes }))

  function submit(event: FormEvent) {
    event.preventDefault()
    if (busy) return
    const overrides = toOverrides(provider, purpose, fields)
    if (overrides.purpose === savedPurpose) delete overrides.purpose
    const problemsFound = findRunProblems(input, overrides)
    setProblems(problemsFound)
    if (Object.keys(problemsFound).length === 0) onRun(input.trim(), overrides)
  }

  const settingFieldsProps = { values: fields, errors: problems, onChange: changeFields, onTyping: changeFields }
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <p className="text-ui text-muted-foreground">
        For this run only. The saved agent doesn’t change, and no session is started.
      </p>
      {note && <Banner tone="warning">{note}</Banner>}
      <TextArea
        label="Input"
        required
        rows={3}
        value={input}
        onChange={(event) => changeInput({ input: event.currentTarget.value })}
        error={problems.input}
      />
      <TextArea
        label="Purpose"
        required
        rows={4}
        value={purpose}
        onChange={(event) => changeInput({ purpose: event.currentTarget.value })}
        error={problems.purpose}
      />
      <div className="flex flex-col items-start gap-1.5">
        <span aria-hidden className="text-ui leading-[1.125rem] font-label">
          Provider
        </span>
        <SegmentedControl
          label="Provider"
          options={providers.map(({ id }) => ({ value: id, label: id }))}
          value={provider}
          onValueChange={(next) => {
            setProvider(next)
            setFields(toModelFields(getProviderInfo(next).settings))
          }}
        />
        <p className="text-small text-muted-foreground">Changing the provider resets the values below.</p>
      </div>
      <div key={provider} className="grid grid-cols-2 items-start gap-x-4 gap-y-4 phone:grid-cols-1">
        <SuggestField
          label="Model"
          required
          value={fields.model}
          onValueChange={(model) => changeFields({ model })}
          options={getModelNames(provider, models.list).map((value) => ({ value }))}
          loading={models.loading}
          error={problems.model}
        />
        <SamplingFields provider={provider} {...settingFieldsProps} />
        <RetryFields {...settingFieldsProps} />
      </div>
      <ErrorText>{problem}</ErrorText>
      <div className="sticky -bottom-5 -mx-5 -mb-5 border-t border-hairline bg-popover px-5 py-3">
        <Button
          type="submit"
          variant="primary"
          busy={busy}
          busyLabel="Running..."
          icon={<Play aria-hidden size={14} />}
        >
          Run and compare
        </Button>
      </div>
    </form>
  )
}

function toOverrides(provider: Provider, purpose: string, fields: ModelFields): RunOverrides {
  const { max_retries, retry_delay_ms, top_p, frequency_penalty, presence_penalty, ...common } = fields
  return {
    purpose: purpose.trim(),
    model_provider: provider,
    model_settings: {
      ...common,
      ...(getProviderInfo(provider).hasPenalties && { top_p, frequency_penalty, presence_penalty }),
      retry: { max_retries, retry_delay_ms },
    },
  }
}

function findRunProblems(input: string, overrides: RunOverrides): FieldProblems {
  const problemsFound: FieldProblems = {}
  const parsedInput = runInput.safeParse(input)
  if (!parsedInput.success) problemsFound.input = parsedInput.error.issues[0]?.message ?? 'Write something first.'
  for (const issue of runOverrides.safeParse(overrides).error?.issues ?? []) {
    const name = String(issue.path.at(-1))
    problemsFound[name] ??= issue.message
  }
  return problemsFound
}
