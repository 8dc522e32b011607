import { type FormEvent, useState } from 'react'
import { diagnostics } from '#contract/diagnostics/diagnostics.ts'
import { type Domain, domains } from '#contract/domains/domains.ts'
import { ApiError, call, Unreachable } from '#web/api.ts'
import { ConflictDialog, conflictOf, orAskAgain } from '#web/offline/conflict-dialog.tsx'
import { newClientId } from '#web/offline/new-client-id.ts'
import { useDraft } from '#web/offline/use-draft.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { onSubmitKey } from '#web/ui/on-send-key.ts'
import { ReadOnlyWhile } from '#web/ui/read-only-while.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useDomainsChanged, whyOf } from './domain-queries.ts'
import { changesIn, conflictsIn, type DomainWords, wordsOf, wrongIn } from './domain-words.ts'
import { LeadAgentField } from './lead-agent-field.tsx'

interface Writing {
  words: DomainWords
  /** The values when editing started. */
  before: DomainWords
  rev: number
  /** Idempotency key of a new domain. */
  key: string
}

interface DomainFormProps {
  /** Absent for a new domain. */
  domain?: Domain
  /** Whether to show the lead agent field. */
  choosesAgent?: boolean
  onSaved: (saved: Domain) => void
  onCancel: () => void
}

/** Keeps a local draft until it is saved or discarded. */
export function DomainForm({ domain, choosesAgent = false, onSaved, onCancel }: DomainFormProps) {
  const [key] = useState(newClientId)
  const fresh = { words: wordsOf(domain), before: wordsOf(domain), rev: domain?.rev ?? 0, key }
  const draft = useDraft<Writing>(domain ? `domain/${domain.id}` : 'domain/new', fresh)
  const [busy, setBusy] = useState(false)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [failure, setFailure] = useState<{ text: string; why: string | undefined }>()
  const [current, setCurrent] = useState<Domain>()
  const changed = useDomainsChanged()
  const { words, before } = draft.value

  function change(given: Partial<DomainWords>) {
    draft.set({ ...draft.value, words: { ...words, ...given }, key: newClientId() })
    setErrors((present) => Object.fromEntries(Object.entries(present).filter(([field]) => !(field in given))))
  }

  async function save(wanted: DomainWords, rev = draft.value.rev) {
    const { name, leadAgentId, ...rest } = changesIn(before, wanted)
    const body = {
      ...rest,
      ...(name !== undefined && { name: wanted.name.trim() }),
      ...(choosesAgent && leadAgentId !== undefined && { leadAgentId }),
    }
    const saved = domain
      ? await call(domains.update, { params: { id: domain.id }, body, ifMatch: rev })
      : await call(domains.create, { body: { ...body, name: wanted.name.trim() }, idempotencyKey: draft.value.key })
    draft.clear()
    await changed()
    onSaved(saved)
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (busy) return
    const wrong = wrongIn(words, before)
    setErrors(wrong)
    setFailure(undefined)
    if (Object.keys(wrong).length > 0) return
    setBusy(true)
    noteSent(domain, words)
    try {
      await save(words)
    } catch (reason) {
      const both = conflictOf<Domain>(reason)
      if (!both) tellFailure(reason)
      else if (conflictsIn(before, words, wordsOf(both.current)).length > 0) setCurrent(both.current)
      // The other change touched different fields, so this one can be saved on top.
      else await save(words, both.current.rev).catch(tellFailure)
    } finally {
      setBusy(false)
    }
  }

  function tellFailure(reason: unknown) {
    if (reason instanceof ApiError && reason.fields) setErrors(reason.fields)
    const text =
      reason instanceof Unreachable
        ? 'Failed to save domain'
        : domain
          ? 'Failed to update domain'
          : 'Failed to create domain'
    setFailure({ text, why: whyOf(reason) })
  }

  return (
    <form onKeyDown={onSubmitKey} onSubmit={submit} noValidate className="flex max-w-[560px] flex-col gap-4">
      {failure && (
        <Banner tone="error" onDismiss={() => setFailure(undefined)}>
          <span className="font-semibold">{failure.text}</span>
          {failure.why && <span className="block">{failure.why}</span>}
        </Banner>
      )}
      <ReadOnlyWhile while={busy}>
        <TextField
          label="Name"
          required
          maxLength={120}
          value={words.name}
          error={errors.name}
          autoComplete="off"
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <TextField
          label="Slug"
          mono
          maxLength={63}
          value={words.slug}
          error={errors.slug}
          help="A short name without spaces. Leave it empty to create one from the name."
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => change({ slug: event.currentTarget.value })}
          onBlur={() => {
            const { slug } = wrongIn(words, before)
            if (slug) setErrors((present) => ({ ...present, slug }))
          }}
        />
        <TextArea
          label="Description"
          maxLength={2000}
          value={words.description}
          error={errors.description}
          onChange={(event) => change({ description: event.currentTarget.value })}
        />
        {domain && choosesAgent && (
          <LeadAgentField
            ownerId={domain.ownerId}
            value={words.leadAgentId}
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
        what="This domain"
        fields={current ? conflictsIn(before, words, wordsOf(current)) : []}
        about={`domain/${domain?.id}`}
        onResolve={(resolved) => orAskAgain<Domain>(save({ ...words, ...resolved }, current?.rev), setCurrent)}
        onOpenChange={(open) => !open && setCurrent(undefined)}
      />
    </form>
  )
}

/** Logs the submission on the server, without waiting; failures are ignored. */
function noteSent(domain: Domain | undefined, words: DomainWords): void {
  const about = {
    action: domain ? 'update' : 'create',
    domainId: domain?.id ?? null,
    timestamp: new Date().toISOString(),
  }
  call(diagnostics.formDebug, { body: { ...about, formData: words } }).catch(() => undefined)
}
