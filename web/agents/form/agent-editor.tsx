import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { FormProvider, type Resolver, type UseFormReturn, useForm, useFormContext } from 'react-hook-form'
import { type Agent, agents } from '#contract/agents/agents.ts'
import { ApiError, call } from '#web/api.ts'
import { creationOf } from '#web/offline/use-key-of-create.ts'
import { agentsKey } from '../agent-queries.ts'
import { reasonText } from '../runs/reason-text.ts'
import { isSampleAgent } from '../sample-agents.ts'
import { agentDraft, valuesOf } from './agent-draft.ts'
import { type AgentField, type AgentFormValues, bodyFrom, newAgentValues, valuesFrom } from './agent-form-values.ts'
import { type AgentProblems, checkAgentForm, fieldNames, fieldOf, type KnownNames } from './check-agent-form.ts'
import { useUnsealedDrafts } from './kept-draft.ts'
import { useKnownNames } from './use-known-names.ts'

export interface StaleVersions {
  yours: Agent
  current: Agent
}

export interface AgentEditing {
  /** The saved agent, or null for a new one. */
  agent: Agent | null
  readOnly: boolean
  /** A draft from before leaving or reloading was restored. */
  draftRestored: boolean
  problem: string | undefined
  stale: StaleVersions | undefined
  save: (values: AgentFormValues, goldenRunId?: string) => Promise<void>
  keepMine: () => Promise<void>
  takeTheirs: () => void
  /** Only owners set visibility and visitor spending. */
  isOwner: boolean
  /** Takes over a save made outside the form, keeping the input. */
  adopt: (saved: Agent) => void
  /** Takes over a save made outside the form, discarding the input. */
  replaceWith: (saved: Agent) => void
  /** Discards the input and its draft. */
  discard: () => void
  slugTyped: { current: boolean }
  known: KnownNames
}

const EditingContext = createContext<AgentEditing | null>(null)

export interface AgentEditorProps {
  agent: Agent | null
  personId: string | undefined
  onSaved: (agent: Agent, created: boolean) => void
  children: ReactNode
}

export function AgentEditor({ agent: given, personId, onSaved, children }: AgentEditorProps) {
  useUnsealedDrafts()
  const queries = useQueryClient()
  const [agent, setAgent] = useState(given)
  const [draft] = useState(() => agentDraft(given))
  const [restored, setRestored] = useState(() => draft.read())
  const [problem, setProblem] = useState<string>()
  const [stale, setStale] = useState<StaleVersions>()
  const known = useKnownNames(agent)
  const slugTyped = useRef(restored?.slugTyped ?? false)
  /** Values the server refused; they stay invalid until changed. */
  const refused = useRef<Partial<Record<AgentField, { value: unknown; text: string }>>>({})
  const revision = useRef(restored?.rev ?? given?.rev)
  const creation = useRef(restored?.creation)

  const resolver = useCallback<Resolver<AgentFormValues>>(
    (values) => {
      const problems = checkAgentForm(values, agent?.slug, known)
      for (const [field, refusal] of Object.entries(refused.current)) {
        if (values[field as AgentField] === refusal.value) problems[field as AgentField] ??= refusal.text
      }
      return asErrors(values, problems)
    },
    [agent, known],
  )
  const form = useForm<AgentFormValues>({
    defaultValues: agent ? valuesFrom(agent) : newAgentValues,
    resolver,
    mode: 'onTouched',
    // Focus follows the page order, not the registration order (`focusFirstInvalid`).
    shouldFocusError: false,
  })

  useEffect(() => {
    if (!restored) return
    form.reset(valuesOf(restored), { keepDefaultValues: true })
    if (restored.values.slug !== '') void form.trigger('slug')
  }, [form, restored])
  useEffect(() => {
    if (known.tools && form.getValues('tools') !== '') void form.trigger('tools')
    if (known.agents && form.getValues('bundle').length > 0) void form.trigger('bundle')
  }, [form, known])
  const keep = useCallback(
    (values: AgentFormValues) => {
      const [rev, typed] = [revision.current ?? null, slugTyped.current]
      draft.write({ values, rev, slugTyped: typed, creation: creation.current })
    },
    [draft],
  )
  useKeptDraft(form, {
    keep,
    forget: draft.clear,
    wasThere: restored !== undefined,
  })

  const { isDirty } = form.formState
  // Shows others' changes right away unless there is unsaved input.
  useEffect(() => {
    if (!given || !agent) return
    if (given.rev > agent.rev && !isDirty) {
      setAgent(given)
      revision.current = given.rev
      form.reset(valuesFrom(given))
    } else if (Object.entries(given.may).some(([name, may]) => agent.may[name as keyof Agent['may']] !== may)) {
      // Permissions change without a new revision.
      setAgent({ ...agent, may: given.may })
    }
  }, [given, agent, form, isDirty])

  const save = useCallback(
    async (values: AgentFormValues, goldenRunId?: string) => {
      setProblem(undefined)
      try {
        const saved = agent
          ? await call(agents.update, {
              body: { id: agent.id, ...bodyFrom(values, agent.config), golden_run_id: goldenRunId },
              ifMatch: revision.current,
            })
          : await create(bodyFrom(values))
        creation.current = undefined
        slugTyped.current = false
        form.reset(agent ? valuesFrom(saved) : newAgentValues)
        // After the reset, whose change event would write the draft again.
        draft.clear()
        void queries.invalidateQueries({ queryKey: agentsKey })
        onSaved(saved, agent === null)
      } catch (reason) {
        if (reason instanceof ApiError && reason.code === 'stale') {
          setStale(reason.data as StaleVersions)
          return
        }
        const fields = reason instanceof ApiError ? Object.entries(reason.fields ?? {}) : []
        const unplaced = fields.filter(([path, text]) => !refuse(path, text)).map(([, text]) => text)
        const usual = agent ? 'Failed to update agent' : 'Failed to create agent'
        const message = reasonText(reason, usual)
        if (fields.length === 0 || unplaced.length > 0) setProblem([message, ...unplaced].join(' '))
      }
      /** The same values create one agent, even after a reload. */
      function create(body: ReturnType<typeof bodyFrom>) {
        creation.current = creationOf(body, creation.current)
        keep(values)
        return call(agents.create, { body, idempotencyKey: creation.current.key })
      }
      function refuse(path: string, text: string): boolean {
        const field = fieldOf(path)
        if (!field) return false
        refused.current[field] = { value: values[field], text }
        form.setError(field, { type: 'server', message: text }, { shouldFocus: true })
        return true
      }
    },
    [agent, draft, form, keep, onSaved, queries],
  )

  const editing = useMemo<AgentEditing>(() => {
    const present = stale?.current
    function replaceWith(saved: Agent) {
      revision.current = saved.rev
      setAgent(saved)
      form.reset(valuesFrom(saved))
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
      known,
      async keepMine() {
        revision.current = present?.rev
        setStale(undefined)
        await form.handleSubmit((values) => save(values))()
      },
      takeTheirs() {
        if (present) replaceWith(present)
      },
      replaceWith,
      adopt(saved) {
        // If someone else saved in between, the next save must report the conflict.
        const isNext = revision.current === undefined || saved.rev === revision.current + 1
        if (isNext || !form.formState.isDirty) revision.current = saved.rev
        if (!isNext && !form.formState.isDirty) form.reset(valuesFrom(saved))
        setAgent(saved)
      },
      discard() {
        slugTyped.current = false
        revision.current = agent?.rev
        setRestored(undefined)
        setProblem(undefined)
        form.reset(agent ? valuesFrom(agent) : newAgentValues)
        draft.clear()
      },
    }
  }, [agent, personId, restored, problem, stale, save, form, draft, known])

  return (
    <EditingContext value={editing}>
      <FormProvider {...form}>{children}</FormProvider>
    </EditingContext>
  )
}

export function useAgentEditing(): AgentEditing {
  const editing = use(EditingContext)
  if (!editing) throw new Error('useAgentEditing belongs inside an AgentEditor')
  return editing
}

export const useAgentFields = () => useFormContext<AgentFormValues>()

export function useBox(field: AgentField, options?: Parameters<UseFormReturn<AgentFormValues>['register']>[1]) {
  const { register, formState } = useAgentFields()
  return { ...register(field, options), label: fieldNames[field], error: formState.errors[field]?.message }
}

interface DraftOfForm {
  keep: (values: AgentFormValues) => void
  /** Called when everything matches the saved agent again. */
  forget: () => void
  /** A draft existed on opening. */
  wasThere: boolean
}

function useKeptDraft(form: UseFormReturn<AgentFormValues>, draft: DraftOfForm) {
  const latest = useRef(draft)
  latest.current = draft
  useEffect(() => {
    let wasDirty = latest.current.wasThere
    return form.subscribe({
      formState: { values: true, isDirty: true },
      callback({ values, isDirty = false }) {
        if (isDirty) latest.current.keep(values)
        else if (wasDirty) latest.current.forget()
        wasDirty = isDirty
      },
    })
  }, [form])
}

function asErrors(values: AgentFormValues, problems: AgentProblems): ReturnType<Resolver<AgentFormValues>> {
  const entries = Object.entries(problems)
  if (entries.length === 0) return { values, errors: {} }
  return {
    values: {},
    errors: Object.fromEntries(entries.map(([field, message]) => [field, { type: 'rule', message }])),
  }
}
