import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { FormProvider, type Resolver, type UseFormReturn, useForm, useFormContext } from 'react-hook-form'
import { type Agent, agents } from '#contract/agents/agents.ts'
import { isSampleAgent } from '#contract/samples/sample-agents.ts'
import { ApiError, call } from '#web/api/api.ts'
import { getCreation } from '#web/offline/create-client-id.ts'
import { agentsKey, useAgentList } from '../agent-queries.ts'
import { getReasonText } from '../runs/reason-text.ts'
import { createAgentDraft, getDraftValues } from './agent-draft.ts'
import {
  type AgentField,
  type AgentFormValues,
  newAgentValues,
  toAgentBody,
  toFormValues,
} from './agent-form-values.ts'
import { type AgentProblems, checkAgentForm, fieldNames, findField, type KnownNames } from './check-agent-form.ts'
import { useDecryptedDrafts } from './stored-draft.ts'
import { useKnownToolNames } from './use-tools.ts'

export interface StaleVersions {
  yours: Agent
  current: Agent
}

export interface AgentEditing {
  /** The saved agent, or null for a new one. */
  agent: Agent | null
  readOnly: boolean
  draftRestored: boolean
  problem: string | undefined
  stale: StaleVersions | undefined
  save: (values: AgentFormValues, goldenRunId?: string) => Promise<void>
  /** Saves the form, with `texts` edited together, on the newer version. */
  keepLocal: (texts: Record<string, string>) => Promise<void>
  takeRemote: () => void
  closeConflict: () => void
  /** Only owners set visibility and visitor spending. */
  isOwner: boolean
  /** Takes over a save made outside the form, keeping the input. */
  adopt: (saved: Agent) => void
  /** Takes over a save made outside the form, discarding the input. */
  replaceWith: (saved: Agent) => void
  discard: () => void
  slugTyped: { current: boolean }
  knownNames: KnownNames
}

const AgentEditingContext = createContext<AgentEditing | null>(null)

export interface AgentEditorProps {
  agent: Agent | null
  personId: string | undefined
  onSaved: (agent: Agent, created: boolean) => void
  children: ReactNode
}

export function AgentEditor({ agent: initialAgent, personId, onSaved, children }: AgentEditorProps) {
  useDecryptedDrafts()
  const queryClient = useQueryClient()
  const [agent, setAgent] = useState(initialAgent)
  const [draft] = useState(() => createAgentDraft(initialAgent))
  const [restored, setRestored] = useState(() => draft.read())
  const [problem, setProblem] = useState<string>()
  const [stale, setStale] = useState<StaleVersions>()
  const existingNames = useKnownNames(agent)
  const slugTyped = useRef(restored?.slugTyped ?? false)
  /** Values the server refused; they stay invalid until changed. */
  const rejectedValues = useRef<Partial<Record<AgentField, { value: unknown; text: string }>>>({})
  const revision = useRef(restored?.rev ?? initialAgent?.rev)
  const creation = useRef(restored?.creation)

  const resolver = useCallback<Resolver<AgentFormValues>>(
    (values) => {
      const problems = checkAgentForm(values, agent?.slug, existingNames)
      for (const [field, rejection] of Object.entries(rejectedValues.current)) {
        if (values[field as AgentField] === rejection.value) problems[field as AgentField] ??= rejection.text
      }
      return toFormErrors(values, problems)
    },
    [agent, existingNames],
  )
  const form = useForm<AgentFormValues>({
    defaultValues: agent ? toFormValues(agent) : newAgentValues,
    resolver,
    mode: 'onTouched',
    // Focus follows the page order, not the registration order (`focusFirstInvalid`).
    shouldFocusError: false,
  })

  useEffect(() => {
    if (!restored) return
    form.reset(getDraftValues(restored), { keepDefaultValues: true })
    if (restored.values.slug !== '') void form.trigger('slug')
  }, [form, restored])
  useEffect(() => {
    if (existingNames.tools && form.getValues('tools') !== '') void form.trigger('tools')
    if (existingNames.agents && form.getValues('bundle').length > 0) void form.trigger('bundle')
  }, [form, existingNames])
  const writeDraft = useCallback(
    (values: AgentFormValues) => {
      const [rev, typed] = [revision.current ?? null, slugTyped.current]
      draft.write({ values, rev, slugTyped: typed, creation: creation.current })
    },
    [draft],
  )
  useFormDraft(form, {
    write: writeDraft,
    clear: draft.clear,
    wasRestored: restored !== undefined,
  })

  const { isDirty } = form.formState
  // Shows others' changes right away unless there is unsaved input.
  useEffect(() => {
    if (!initialAgent || !agent) return
    if (initialAgent.rev > agent.rev && !isDirty) {
      setAgent(initialAgent)
      revision.current = initialAgent.rev
      form.reset(toFormValues(initialAgent))
    } else if (Object.entries(initialAgent.may).some(([name, may]) => agent.may[name as keyof Agent['may']] !== may)) {
      // Permissions change without a new revision.
      setAgent({ ...agent, may: initialAgent.may })
    }
  }, [initialAgent, agent, form, isDirty])

  const save = useCallback(
    async (values: AgentFormValues, goldenRunId?: string) => {
      setProblem(undefined)
      try {
        const saved = agent
          ? await call(agents.update, {
              body: { id: agent.id, ...toAgentBody(values, agent.config), golden_run_id: goldenRunId },
              ifMatch: revision.current,
            })
          : await create(toAgentBody(values))
        creation.current = undefined
        slugTyped.current = false
        form.reset(agent ? toFormValues(saved) : newAgentValues)
        // After the reset, whose change event would write the draft again.
        draft.clear()
        void queryClient.invalidateQueries({ queryKey: agentsKey })
        onSaved(saved, agent === null)
      } catch (reason) {
        if (reason instanceof ApiError && reason.code === 'stale') {
          setStale(reason.data as StaleVersions)
          return
        }
        const fields = reason instanceof ApiError ? Object.entries(reason.fields ?? {}) : []
        const unassignedTexts = fields.filter(([path, text]) => !assignError(path, text)).map(([, text]) => text)
        const fallbackText = agent ? 'Failed to update agent' : 'Failed to create agent'
        const message = getReasonText(reason, fallbackText)
        if (fields.length === 0 || unassignedTexts.length > 0) setProblem([message, ...unassignedTexts].join(' '))
      }
      /** The same values create one agent, even after a reload. */
      function create(body: ReturnType<typeof toAgentBody>) {
        creation.current = getCreation(body, creation.current)
        writeDraft(values)
        return call(agents.create, { body, idempotencyKey: creation.current.key })
      }
      function assignError(path: string, text: string): boolean {
        const field = findField(path)
        if (!field) return false
        rejectedValues.current[field] = { value: values[field], text }
        form.setError(field, { type: 'server', message: text }, { shouldFocus: true })
        return true
      }
    },
    [agent, draft, form, writeDraft, onSaved, queryClient],
  )

  const editing = useMemo<AgentEditing>(() => {
    const currentAgent = stale?.current
    function replaceWith(saved: Agent) {
      revision.current = saved.rev
      setAgent(saved)
      form.reset(toFormValues(saved))
      draft.clear()
      setStale(undefined)
      setRestored(undefined)
    }
    return {
      agent,
      isOwner: agent === null || agent.owner_id === null || agent.owner_id === personId,
      readOnly: agent !== null && (!agent.may.edit || isSampleAgent(agent)),
      draftRestored: restored !== undefined,
      problem,
      stale,
      save,
      slugTyped,
      knownNames: existingNames,
      async keepLocal(texts) {
        revision.current = currentAgent?.rev
        for (const [field, text] of Object.entries(texts))
          form.setValue(field as AgentField, text, { shouldDirty: true })
        setStale(undefined)
        await form.handleSubmit((values) => save(values))()
      },
      closeConflict: () => setStale((open) => (open === stale ? undefined : open)),
      takeRemote() {
        if (currentAgent) replaceWith(currentAgent)
      },
      replaceWith,
      adopt(saved) {
        // If someone else saved in between, the next save must report the conflict.
        const isNext = revision.current === undefined || saved.rev === revision.current + 1
        if (isNext || !form.formState.isDirty) revision.current = saved.rev
        if (!isNext && !form.formState.isDirty) form.reset(toFormValues(saved))
        setAgent(saved)
      },
      discard() {
        slugTyped.current = false
        revision.current = agent?.rev
        setRestored(undefined)
        setProblem(undefined)
        form.reset(agent ? toFormValues(agent) : newAgentValues)
        draft.clear()
      },
    }
  }, [agent, personId, restored, problem, stale, save, form, draft, existingNames])

  return (
    <AgentEditingContext value={editing}>
      <FormProvider {...form}>{children}</FormProvider>
    </AgentEditingContext>
  )
}

export function useAgentEditing(): AgentEditing {
  const editing = use(AgentEditingContext)
  if (!editing) throw new Error('useAgentEditing belongs inside an AgentEditor')
  return editing
}

export const useAgentFields = () => useFormContext<AgentFormValues>()

export function useFieldProps(field: AgentField, options?: Parameters<UseFormReturn<AgentFormValues>['register']>[1]) {
  const { register, formState } = useAgentFields()
  return { ...register(field, options), label: fieldNames[field], error: formState.errors[field]?.message }
}

interface FormDraft {
  write: (values: AgentFormValues) => void
  clear: () => void
  wasRestored: boolean
}

function useFormDraft(form: UseFormReturn<AgentFormValues>, draft: FormDraft) {
  const latestDraft = useRef(draft)
  latestDraft.current = draft
  useEffect(() => {
    let wasDirty = latestDraft.current.wasRestored
    return form.subscribe({
      formState: { values: true, isDirty: true },
      callback({ values, isDirty = false }) {
        if (isDirty) latestDraft.current.write(values)
        else if (wasDirty) latestDraft.current.clear()
        wasDirty = isDirty
      },
    })
  }, [form])
}

function toFormErrors(values: AgentFormValues, problems: AgentProblems): ReturnType<Resolver<AgentFormValues>> {
  const entries = Object.entries(problems)
  if (entries.length === 0) return { values, errors: {} }
  return {
    values: {},
    errors: Object.fromEntries(entries.map(([field, message]) => [field, { type: 'rule', message }])),
  }
}

/** Known names for validation; a stable object until they change. */
function useKnownNames(agent: Agent | null): KnownNames {
  const tools = useKnownToolNames()
  const { data } = useAgentList()
  return useMemo(() => {
    const visibleNames = data?.from === 'server' ? data.agents.flatMap(({ slug, id }) => [slug, id]) : undefined
    // Saved bundles stay valid: the owner may run agents that this editor can't see.
    return { tools, agents: visibleNames && [...visibleNames, ...(agent?.config.bundle ?? [])] }
  }, [tools, data, agent])
}
