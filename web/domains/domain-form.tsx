import { type FormEvent, useState } from 'react'
import { diagnostics } from '#contract/diagnostics/diagnostics.ts'
import { type Domain, domains } from '#contract/domains/domains.ts'
import { ApiError, call, NetworkError } from '#web/api.ts'
import { ConflictDialog, getConflict, saveOrResolveAgain } from '#web/offline/conflict-dialog.tsx'
import { createClientId } from '#web/offline/create-client-id.ts'
import { useDraft } from '#web/offline/use-draft.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { onSubmitKey } from '#web/ui/on-send-key.ts'
import { ReadOnlyWhile } from '#web/ui/read-only-while.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { getDomainErrorDetail, useInvalidateDomains } from './domain-queries.ts'
import {
  type DomainValues,
  findDomainConflicts,
  getDomainChanges,
  toDomainValues,
  validateDomain,
} from './domain-values.ts'
import { LeadAgentField } from './lead-agent-field.tsx'

interface DomainDraft {
  words: DomainValues
  before: DomainValues
  rev: number
  key: string
}

interface DomainFormProps {
  domain?: Domain
  showsAgentField?: boolean
  onSaved: (saved: Domain) => void
  onCancel: () => void
}

export function DomainForm({ domain, showsAgentField = false, onSaved, onCancel }: DomainFormProps) {
  const [key] = useState(createClientId)
  const initialDraft = { words: toDomainValues(domain), before: toDomainValues(domain), rev: domain?.rev ?? 0, key }
  const draft = useDraft<DomainDraft>(domain ? `domain/${domain.id}` : 'domain/new', initialDraft)
  const [busy, setBusy] = useState(false)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [failure, setFailure] = useState<{ text: string; detail: string | undefined }>()
  const [current, setCurrent] = useState<Domain>()
  const invalidateDomains = useInvalidateDomains()
  const { words: values, before: initial } = draft.value

  function change(changes: Partial<DomainValues>) {
    draft.set({ ...draft.value, words: { ...values, ...changes }, key: createClientId() })
    setErrors((previous) => Object.fromEntries(Object.entries(previous).filter(([field]) => !(field in changes))))
  }

  async function save(nextValues: DomainValues, rev = draft.value.rev) {
    const { name, leadAgentId, ...otherChanges } = getDomainChanges(initial, nextValues)
    const body = {
      ...otherChanges,
      ...(name !== undefined && { name: nextValues.name.trim() }),
      ...(showsAgentField && leadAgentId !== undefined && { leadAgentId }),
    }
    const saved = domain
      ? await call(domains.update, { params: { id: domain.id }, body, ifMatch: rev })
      : await call(domains.create, { body: { ...body, name: nextValues.name.trim() }, idempotencyKey: draft.value.key })
    draft.clear()
    await invalidateDomains()
    onSaved(saved)
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (busy) return
    const fieldErrors = validateDomain(values, initial)
    setErrors(fieldErrors)
    setFailure(undefined)
    if (Object.keys(fieldErrors).length > 0) return
    setBusy(true)
    logSubmission(domain, values)
    try {
      await save(values)
    } catch (reason) {
      const conflict = getConflict<Domain>(reason)
      if (!conflict) showFailure(reason)
      else if (findDomainConflicts(initial, values, toDomainValues(conflict.current)).length > 0)
        setCurrent(conflict.current)
      // The other change touched different fields, so this one can be saved on top.
      else await save(values, conflict.current.rev).catch(showFailure)
    } finally {
      setBusy(false)
    }
  }

  function showFailure(reason: unknown) {
    if (reason instanceof ApiError && reason.fields) setErrors(reason.fields)
    const text =
      reason instanceof NetworkError
        ? 'Failed to save domain'
        : domain
          ? 'Failed to update domain'
          : 'Failed to create domain'
    setFailure({ text, detail: getDomainErrorDetail(reason) })
  }

  return (
    <form onKeyDown={onSubmitKey} onSubmit={submit} noValidate className="flex max-w-[560px] flex-col gap-4">
      {failure && (
        <Banner tone="error" onDismiss={() => setFailure(undefined)}>
          <span className="font-semibold">{failure.text}</span>
          {failure.detail && <span className="block">{failure.detail}</span>}
        </Banner>
      )}
      <ReadOnlyWhile while={busy}>
        <TextField
          label="Name"
          required
          maxLength={120}
          value={values.name}
          error={errors.name}
          autoComplete="off"
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <TextField
          label="Slug"
          mono
          maxLength={63}
          value={values.slug}
          error={errors.slug}
          help="A short name without spaces. Leave it empty to create one from the name."
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => change({ slug: event.currentTarget.value })}
          onBlur={() => {
            const { slug } = validateDomain(values, initial)
            if (slug) setErrors((previous) => ({ ...previous, slug }))
          }}
        />
        <TextArea
          label="Description"
          maxLength={2000}
          value={values.description}
          error={errors.description}
          onChange={(event) => change({ description: event.currentTarget.value })}
        />
        {domain && showsAgentField && (
          <LeadAgentField
            ownerId={domain.ownerId}
            value={values.leadAgentId}
            error={errors.leadAgentId}
            onValueChange={(leadAgentId) => change({ leadAgentId })}
          />
        )}
      </ReadOnlyWhile>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" busy={busy} busyLabel="Saving...">
          {domain ? 'Save' : 'Create domain'}
        </Button>
        <Button
          disabled={busy}
          onClick={() => {
            draft.clear()
            onCancel()
          }}
        >
          Cancel
        </Button>
      </div>
      <ConflictDialog
        open={current !== undefined}
        subject="This domain"
        fields={current ? findDomainConflicts(initial, values, toDomainValues(current)) : []}
        conflictKey={`domain/${domain?.id}`}
        onResolve={(resolved) => saveOrResolveAgain<Domain>(save({ ...values, ...resolved }, current?.rev), setCurrent)}
        onOpenChange={(open) => !open && setCurrent(undefined)}
      />
    </form>
  )
}

function logSubmission(domain: Domain | undefined, values: DomainValues): void {
  const metadata = {
    action: domain ? 'update' : 'create',
    domainId: domain?.id ?? null,
    timestamp: new Date().toISOString(),
  }
  call(diagnostics.formDebug, { body: { ...metadata, formData: values } }).catch(() => undefined)
}
