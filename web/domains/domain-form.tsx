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
  /** What it was when the writing began. */
  before: DomainWords
  rev: number
  /** Of a new one: sent twice, these words make one domain. */
  key: string
}

interface DomainFormProps {
  /** Absent for a new one. */
  domain?: Domain
  /** Whether the agent its custom domain shows is chosen here too. */
  choosesAgent?: boolean
  onSaved: (saved: Domain) => void
  onCancel: () => void
}

/** What is typed stays in this browser until the server has it or it is thrown away. */
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
      // Nobody else touched these words: they go on top of the other change.
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
          help="A short name without spaces. Leave it empty to have it made from the name."
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
        onResolve={(values) => orAskAgain<Domain>(save({ ...words, ...values }, current?.rev), setCurrent)}
        onOpenChange={(open) => !open && setCurrent(undefined)}
      />
    </form>
  )
}

/** So that the server's log says that a form was sent; nothing waits for it, and nothing comes of its failing (seed 000 §7). */
function noteSent(domain: Domain | undefined, words: DomainWords): void {
  const about = {
    action: domain ? 'update' : 'create',
    domainId: domain?.id ?? null,
    timestamp: new Date().toISOString(),
  }
  call(diagnostics.formDebug, { body: { ...about, formData: words } }).catch(() => undefined)
}
