import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { domains, type MemberRole } from '#contract/domains/domains.ts'
import { type DomainPeople, type DomainPerson, people } from '#contract/domains/people.ts'
import { call } from '#web/api/api.ts'
import { EntityForm } from '#web/offline/entity-form.tsx'
import { useEntityForm } from '#web/offline/use-entity-form.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { Checkbox } from '#web/ui/controls/checkbox.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { type ShowNotice, useNotice } from '#web/ui/hooks/use-notice.tsx'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { Drawer } from '#web/ui/overlays/drawer.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { notJoinedYet, roleNames, roleSentences } from '#web/ui/text/domain-role-texts.ts'
import { formatCalendarDay } from '#web/ui/text/format-time.ts'
import { getPersonName } from '#web/ui/text/person-name.ts'
import { Time } from '#web/ui/text/time.tsx'
import { withNames } from '#web/ui/text/with-names.tsx'
import { InvitationActions } from './invitation-actions.tsx'
import { getPeopleErrorDetail, type PeopleBoardData } from './people-board-data.ts'
import { PersonAvatar, RoleSelect } from './person-avatar.tsx'

interface PersonPanelProps {
  person: DomainPerson
  board: PeopleBoardData
  notice: ReactNode
  onClose: () => void
  onRoleChange: (person: DomainPerson, role: MemberRole) => void
  onRemoved: () => void
}

export function PersonPanel({ person, board, notice, onClose, onRoleChange, onRemoved }: PersonPanelProps) {
  const { showNotice, noticeBanner } = useNotice('mt-4')
  const pendingLabel = person.invitationId ? 'Invited' : 'Added'
  const journeys = board.journeys.filter(({ domainId }) => domainId === person.domainId)
  return (
    <Drawer open onOpenChange={(open) => !open && onClose()} title={getPersonName(person)}>
      <div className="flex items-center gap-3.5">
        <PersonAvatar person={person} large />
        <div className="min-w-0">
          <p className="text-body wrap-anywhere">{person.email ?? notJoinedYet}</p>
          <p className="mt-1 flex flex-wrap gap-1.5">
            <Badge tone={person.status === 'active' ? 'success' : 'warning'}>
              {person.status === 'active' ? 'Active' : 'Pending'}
            </Badge>
            <Badge tone="outlined">{person.domainName}</Badge>
          </p>
        </div>
      </div>
      {notice && <div className="mt-4">{notice}</div>}
      {noticeBanner}
      <dl className="mt-5 grid grid-cols-[112px_minmax(0,1fr)] gap-y-2 text-ui">
        {!person.mayChange && (
          <>
            <dt className="text-muted-foreground">Role</dt>
            <dd>
              {roleNames[person.relation]}. {roleSentences[person.relation]}
            </dd>
          </>
        )}
        <dt className="text-muted-foreground">{person.status === 'active' ? 'Since' : pendingLabel}</dt>
        <dd>
          <Time value={person.since} />
        </dd>
        {person.expiresAt && (
          <>
            <dt className="text-muted-foreground">Valid until</dt>
            <dd>
              <Time value={person.expiresAt} />
            </dd>
          </>
        )}
        {person.status === 'active' && (
          <>
            <dt className="text-muted-foreground">Last active</dt>
            <dd>{person.lastActiveAt ? formatCalendarDay(person.lastActiveAt) : 'Not yet'}</dd>
          </>
        )}
      </dl>
      {person.mayChange && (
        <RoleSelect person={person} onRoleChange={onRoleChange} labelHidden={false} className="mt-5" />
      )}
      {person.mayChange && <NoteForm key={person.id} person={person} showNotice={showNotice} />}
      {person.userId && <PersonJourneys person={person} journeys={journeys} showNotice={showNotice} />}
      {person.mayChange && <RemoveMember person={person} onRemoved={onRemoved} />}
      {person.invitationId && person.email && !board.samples && (
        <div className="mt-6">
          <InvitationActions
            invitation={{ id: person.invitationId, domainId: person.domainId, email: person.email }}
            isOpen
            showNotice={showNotice}
          />
        </div>
      )}
    </Drawer>
  )
}

interface PersonSectionProps {
  person: DomainPerson
  showNotice: ShowNotice
}

function NoteForm({ person, showNotice }: PersonSectionProps) {
  const queryClient = useQueryClient()
  const form = useEntityForm({
    draftKey: `people/note-on/${person.id}`,
    subject: 'This note',
    entity: { note: person.note, rev: 0 },
    toValues: ({ note }) => ({ note }),
    blank: { note: '' },
    // Notes have no revision: the server compares with the previous text.
    async send(_, { values: { note }, before }, base) {
      const body = { note, noteBefore: base?.note ?? before?.note ?? person.note }
      await call(people.update, { params: { id: person.id }, body })
      return { state: 'sent', answer: { note, rev: 0 } }
    },
    async onSaved() {
      await queryClient.invalidateQueries({ queryKey: ['people'] })
      showNotice('success', 'Note saved.')
    },
  })
  return (
    <EntityForm
      form={form}
      className="mt-5 flex flex-col gap-2"
      saveLabel="Save note"
      size="small"
      failureTitle="The note couldn’t be saved, but your text is still here."
      disabled={form.values.note.trim() === person.note}
    >
      <TextArea
        label="Note"
        serif
        maxLength={2000}
        help="Only the owner and admins can read notes, but not notes about themselves."
        {...form.field('note')}
      />
    </EntityForm>
  )
}

function PersonJourneys({ person, journeys, showNotice }: PersonSectionProps & { journeys: DomainPeople['journeys'] }) {
  const queryClient = useQueryClient()
  const [pendingIds, setPendingIds] = useState<readonly string[]>()
  const selectedIds = pendingIds ?? person.journeyIds
  const visibleJourneys = person.mayChange ? journeys : journeys.filter(({ id }) => person.journeyIds.includes(id))

  async function setOnJourney(id: string, checked: boolean) {
    const journeyIds = checked ? [...selectedIds, id] : selectedIds.filter((journeyId) => journeyId !== id)
    setPendingIds(journeyIds)
    try {
      await call(people.update, { params: { id: person.id }, body: { journeyIds, journeyIdsBefore: [...selectedIds] } })
      await queryClient.invalidateQueries({ queryKey: ['people'] })
    } catch (reason) {
      showNotice('error', `The journeys weren’t changed. ${getPeopleErrorDetail(reason)}`)
    }
    setPendingIds(undefined)
  }
  return (
    <section aria-label="Journeys" className="mt-6 border-t border-hairline pt-4">
      <h3 className="mb-2 text-h3">Journeys</h3>
      {visibleJourneys.length === 0 && (
        <p className="text-ui text-muted-foreground">
          {journeys.length === 0 ? 'No journeys are shared in this domain yet.' : 'Not on any shared journey.'}
        </p>
      )}
      {person.mayChange ? (
        <div className="flex flex-col gap-2">
          {visibleJourneys.map(({ id, title, ownerId }) => (
            <Checkbox
              key={id}
              label={ownerId === person.userId ? `${title} (owner)` : title}
              checked={selectedIds.includes(id)}
              disabled={ownerId === person.userId || pendingIds !== undefined}
              onCheckedChange={(checked) => setOnJourney(id, checked)}
            />
          ))}
        </div>
      ) : (
        <ul className="flex flex-col gap-1 font-serif text-lead">
          {visibleJourneys.map(({ id, title }) => (
            <li dir="auto" key={id} className="wrap-break-word">
              {title}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function RemoveMember({ person, onRemoved }: { person: DomainPerson; onRemoved: () => void }) {
  const queryClient = useQueryClient()
  const [isConfirming, setConfirming] = useState(false)

  async function remove() {
    await call(domains.removeMember, { params: { id: person.domainId, userId: person.userId ?? '' } })
    onRemoved()
    await queryClient.invalidateQueries({ queryKey: ['people'] })
  }
  return (
    <div className="mt-6 border-t border-hairline pt-4">
      <Button variant="danger-text" size="small" onClick={() => setConfirming(true)} className="-ms-2.5">
        Remove from {person.domainName}
      </Button>
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title={withNames`Remove ${getPersonName(person)}?`}
        confirmLabel="Remove"
        busyLabel="Removing..."
        onConfirm={remove}
        formatError={(reason) => `Failed to remove member. ${getPeopleErrorDetail(reason)}`}
      >
        Are you sure you want to remove this member?{person.note && ' The note about them is deleted too.'}
      </ConfirmDialog>
    </div>
  )
}
