import { diagnostics } from '#contract/diagnostics/diagnostics.ts'
import { type Domain, domains } from '#contract/domains/domains.ts'
import { call, NetworkError } from '#web/api/api.ts'
import { EntityForm } from '#web/offline/entity-form.tsx'
import { sendNow, useEntityForm } from '#web/offline/use-entity-form.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { useInvalidateDomains } from './domain-queries.ts'
import { type DomainValues, getDomainChanges, toDomainValues, validateDomain } from './domain-values.ts'
import { LeadAgentField } from './lead-agent-field.tsx'

interface DomainFormProps {
  domain?: Domain
  showsAgentField?: boolean
  onSaved: (saved: Domain) => void
  onCancel: () => void
}

export function DomainForm({ domain, showsAgentField = false, onSaved, onCancel }: DomainFormProps) {
  const invalidateDomains = useInvalidateDomains()
  const form = useEntityForm({
    draftKey: domain ? `domain/${domain.id}` : 'domain/new',
    subject: 'This domain',
    entity: domain ?? null,
    toValues: toDomainValues,
    blank: toDomainValues(undefined),
    validate: validateDomain,
    toBody(values, previous) {
      const { name, leadAgentId, ...changes } = getDomainChanges(previous, values)
      return {
        ...changes,
        ...(name && { name }),
        ...(showsAgentField && leadAgentId !== undefined && { leadAgentId }),
      }
    },
    send(body, { values, rev, key: idempotencyKey }) {
      logSubmission(domain, values)
      return domain
        ? sendNow(domains.update, { params: { id: domain.id }, body, ifMatch: rev ?? domain.rev })
        : sendNow(domains.create, { body: { name: '', ...body }, idempotencyKey })
    },
    async onSaved(result) {
      await invalidateDomains()
      if (result?.state === 'sent') onSaved(result.answer)
      else onCancel()
    },
  })
  const { values, set, field, errors, failure } = form
  const failureTitle = domain ? 'Failed to update domain' : 'Failed to create domain'
  return (
    <EntityForm
      form={form}
      className="flex max-w-[560px] flex-col gap-4"
      saveLabel={domain ? 'Save' : 'Create domain'}
      failureTitle={failure instanceof NetworkError ? 'Failed to save domain' : failureTitle}
      onCancel={onCancel}
    >
      <TextField label="Name" required maxLength={120} autoComplete="off" {...field('name')} />
      <TextField
        label="Slug"
        mono
        maxLength={63}
        help="A short name without spaces. Leave it empty to create one from the name."
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...field('slug')}
        onBlur={() => form.check('slug')}
      />
      <TextArea label="Description" maxLength={2000} {...field('description')} />
      {domain && showsAgentField && (
        <LeadAgentField
          ownerId={domain.ownerId}
          value={values.leadAgentId}
          error={errors.leadAgentId}
          onValueChange={(leadAgentId) => set({ leadAgentId })}
        />
      )}
    </EntityForm>
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
