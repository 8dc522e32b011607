import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, use, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { type Agent, agents } from '#contract/agents/agents.ts'
import { isSampleAgent } from '#contract/samples/sample-agents.ts'
import { ApiError } from '#web/api/api.ts'
import { useDraft } from '#web/offline/use-draft.ts'
import { type FormState, getChanges, sendNow, useEntityForm } from '#web/offline/use-entity-form.tsx'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { newAgentPath } from '../agent-addresses.ts'
import { agentsKey, useAgentList } from '../agent-queries.ts'
import { getReasonText } from '../runs/reason-text.ts'
import {
  type AgentField,
  type AgentFormValues,
  newAgentValues,
  restoreNumbers,
  toAgentBody,
  toFormValues,
} from './agent-form-values.ts'
import { type AgentProblems, checkAgentForm, type ExistingNames, fieldNames, findField } from './check-agent-form.ts'
import { useModelList } from './provider-lists.tsx'
import { useTools } from './use-tools.ts'

export interface AgentEditing
  extends Pick<FormState, 'isDirty' | 'isSaving' | 'restored' | 'ready' | 'discard' | 'conflictDialog'> {
  /** The saved agent, or null for a new one. */
  agent: Agent | null
  readOnly: boolean
  /** Only owners set visibility and visitor spending. */
  isOwner: boolean
  values: AgentFormValues
  /** Changes fields and shows their problems from now on. */
  set: (changes: Partial<AgentFormValues>) => void
  /** Changes a field whose problem shows once it loses focus. */
  setWhileTyping: (changes: Partial<AgentFormValues>) => void
  showProblem: (field: AgentField) => void
  /** All problems that prevent saving, including those not shown yet. */
  problems: AgentProblems
  errors: AgentProblems
  /** Why saving failed, unless a field shows the reason. */
  failureText: string | undefined
  save: (goldenRunId?: string) => Promise<unknown>
}

const AgentEditingContext = createContext<AgentEditing | null>(null)

export interface AgentEditorProps {
  agent: Agent | null
  personId: string | undefined
  onSaved: (agent: Agent, isNew: boolean) => void
  children: ReactNode
}

const getDraftKey = (agent: Agent | null) => (agent ? `kept/agent-${agent.id}` : 'kept/new-agent')

/** The stored input of an agent form that isn't open. */
export function useAgentDraft(agent: Agent | null) {
  const { value, set, clear } = useDraft<unknown>(getDraftKey(agent), null)
  return { exists: value !== null, write: (values: AgentFormValues) => set({ values }), clear }
}

/** Opens the form of a new agent with `values`. Asks before it replaces unsaved input. */
export function useFillAgentForm(consequence: string) {
  const navigate = useNavigate()
  const draft = useAgentDraft(null)
  const [pendingValues, setPendingValues] = useState<AgentFormValues>()
  function fill(values: AgentFormValues) {
    draft.write(values)
    navigate(newAgentPath)
  }
  const replaceDialog = (
    <ConfirmDialog
      open={pendingValues !== undefined}
      onOpenChange={(isOpen) => !isOpen && setPendingValues(undefined)}
      title="Replace your unsaved changes?"
      confirmLabel="Replace"
      onConfirm={() => pendingValues && fill(pendingValues)}
    >
      The new agent form has unsaved changes. {consequence}
    </ConfirmDialog>
  )
  return { fillForm: draft.exists ? setPendingValues : fill, replaceDialog }
}

export function AgentEditor({ agent, personId, onSaved, children }: AgentEditorProps) {
  const queryClient = useQueryClient()
  const existingNames = useExistingNames(agent)
  const blank = useBlankValues(agent === null)
  const [touchedFields, setTouchedFields] = useState<ReadonlySet<AgentField>>(new Set())
  const goldenRunId = useRef<string>(undefined)
  const sentValues = useRef<AgentFormValues>(undefined)
  const form = useEntityForm<Agent, AgentFormValues>({
    draftKey: getDraftKey(agent),
    subject: 'This agent',
    entity: agent,
    toValues: toFormValues,
    blank,
    validate: (values) => checkAgentForm(restoreNumbers(values), agent?.slug, existingNames),
    toBody: (values, previous) => getChanges(previous && restoreNumbers(previous), restoreNumbers(values)),
    send(_, { values, rev, key: idempotencyKey }, base) {
      sentValues.current = values
      const body = toAgentBody(restoreNumbers(values), (base ?? agent)?.config)
      if (!agent) return sendNow(agents.create, { body, idempotencyKey })
      const update = { id: agent.id, ...body, golden_run_id: goldenRunId.current }
      return sendNow(agents.update, { body: update, ifMatch: rev ?? agent.rev })
    },
    onSaved(result) {
      setTouchedFields(new Set())
      void queryClient.invalidateQueries({ queryKey: agentsKey })
      const saved = result?.state === 'sent' ? result.answer : agent
      if (saved) onSaved(saved, agent === null)
    },
  })
  const values = restoreNumbers(form.values)
  const problems = checkAgentForm(values, agent?.slug, existingNames)
  const showProblems = (fields: AgentField[]) => setTouchedFields((previous) => new Set([...previous, ...fields]))

  const { failure } = form
  const rejections = failure instanceof ApiError ? Object.entries(failure.fields ?? {}) : []
  const errors: AgentProblems = { ...pickErrors(form.errors) }
  for (const field of touchedFields) errors[field] ??= problems[field]
  for (const [path, text] of rejections) {
    const field = findField(path)
    // A server error stays until the value changes.
    if (field && values[field] === sentValues.current?.[field]) errors[field] ??= text
  }
  const unassignedTexts = rejections.filter(([path]) => !findField(path)).map(([, text]) => text)
  const reasonText = failure && getReasonText(failure, agent ? 'Failed to update agent' : 'Failed to create agent')
  const hasUnassignedReason = rejections.length === 0 || unassignedTexts.length > 0

  const editing: AgentEditing = {
    ...form,
    agent,
    isOwner: agent === null || agent.owner_id === null || agent.owner_id === personId,
    readOnly: agent !== null && (!agent.may.edit || isSampleAgent(agent)),
    values,
    setWhileTyping: form.set,
    set(changes) {
      form.set({ ...('model' in changes && { awaits_default_model: false }), ...changes })
      showProblems(Object.keys(changes) as AgentField[])
    },
    showProblem: (field) => showProblems([field]),
    problems,
    errors,
    failureText: reasonText && hasUnassignedReason ? [reasonText, ...unassignedTexts].join(' ') : undefined,
    save(runId) {
      goldenRunId.current = runId
      return form.save()
    },
    discard() {
      setTouchedFields(new Set())
      form.discard()
    },
  }
  return <AgentEditingContext value={editing}>{children}</AgentEditingContext>
}

export function useAgentEditing(): AgentEditing {
  const editing = use(AgentEditingContext)
  if (!editing) throw new Error('useAgentEditing belongs inside an AgentEditor')
  return editing
}

type TextFieldName = { [Field in AgentField]: AgentFormValues[Field] extends string ? Field : never }[AgentField]

/** Props of a text field or select. */
export function useFieldProps(field: TextFieldName) {
  const { values, errors, setWhileTyping, showProblem } = useAgentEditing()
  return {
    label: fieldNames[field],
    value: values[field],
    error: errors[field],
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      setWhileTyping({ [field]: value }),
    onBlur: () => showProblem(field),
  }
}

/** A new agent starts with the provider's default model. */
function useBlankValues(isNew: boolean): AgentFormValues {
  const { list } = useModelList(newAgentValues.model_provider, isNew)
  const { default_model: model } = list ?? {}
  return model ? { ...newAgentValues, model, awaits_default_model: false } : newAgentValues
}

/** Names for validation; undefined while incomplete. */
function useExistingNames(agent: Agent | null): ExistingNames {
  const { data: list } = useTools()
  const { data } = useAgentList()
  const visibleNames = data?.source === 'server' ? data.agents.flatMap(({ slug, id }) => [slug, id]) : undefined
  return {
    tools: list?.unreachable.every(({ tool }) => tool !== null) ? list.tools.map(({ name }) => name) : undefined,
    // Saved bundles stay valid: the owner may run agents that this editor can't see.
    agents: visibleNames && [...visibleNames, ...(agent?.config.bundle ?? [])],
  }
}

/** Leaves out the server's errors, whose paths aren't field names. */
const pickErrors = (errors: Record<string, string>): AgentProblems =>
  Object.fromEntries(Object.entries(errors).filter(([name]) => name in fieldNames))
