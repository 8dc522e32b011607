import { diagnostics } from '#contract/diagnostics/diagnostics.ts'
import { getDomainSlugProblem } from '#contract/domains/domain-slug.ts'
import { type Domain, domains } from '#contract/domains/domains.ts'
import { call, NetworkError } from '#web/api/api.ts'
import { EntityForm } from '#web/offline/entity-form.tsx'
import { sendNow, useEntityForm } from '#web/offline/use-entity-form.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { useInvalidateDomains, useLeadAgents } from './domain-queries.ts'

export interface DomainValues {
  name: string
  slug: string
  description: string
  /** Empty for none. */
  leadAgentId: string
}

const toDomainValues = (domain: Domain | undefined): DomainValues => ({
  name: domain?.name ?? '',
  slug: domain?.slug ?? '',
  description: domain?.description ?? '',
  leadAgentId: domain?.leadAgentId ?? '',
})

/** The request body of changed fields; the server derives an empty slug from the name. */
export function getDomainChanges(
  previous: DomainValues | null,
  values: DomainValues,
): Partial<Record<keyof DomainValues, string | null>> {
  const names = Object.keys(values) as (keyof DomainValues)[]
  const changedFields = names.filter((name) => values[name].trim() !== (previous?.[name] ?? ''))
  return Object.fromEntries(changedFields.map((name) => [name, values[name].trim() || null]))
}

export function validateDomain({ name, slug }: DomainValues, previous: DomainValues | null): Record<string, string> {
  const nameProblem = name.trim() === '' ? 'Enter a name.' : undefined
  // An unchanged slug may predate the current rules.
  const trimmedSlug = slug.trim()
  const slugProblem =
    trimmedSlug === '' || trimmedSlug === previous?.slug ? undefined : getDomainSlugProblem(trimmedSlug)
  return { ...(nameProblem && { name: nameProblem }), ...(slugProblem && { slug: slugProblem }) }
}

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

interface LeadAgentFieldProps {
  ownerId: string
  value: string
  error: string | undefined
  onValueChange: (agentId: string) => void
}

function LeadAgentField({ ownerId, value, error, onValueChange }: LeadAgentFieldProps) {
  const list = useLeadAgents(ownerId)
  const agents = list.data ?? []
  const isMissing = value !== '' && !agents.some(({ id }) => id === value)
  return (
    <SelectField
      label="Lead agent"
      value={value}
      error={error}
      help={
        list.isError
          ? 'Failed to load agents. Your choice is unchanged.'
          : 'The agent that visitors of the custom domain talk to: one of the owner’s public Lead agents, or a built-in one.'
      }
      options={[
        { value: '', label: 'None: name and description only' },
        ...(isMissing ? [{ value, label: list.isPending ? 'Loading...' : 'Previously chosen agent' }] : []),
        ...agents.map(({ id, name, slug }) => ({ value: id, label: `${name} (${slug})` })),
      ]}
      onChange={(event) => onValueChange(event.currentTarget.value)}
    />
  )
}
