import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { FlaskConical, Link2, Unlink } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { EngagementTemplate } from '#contract/keepers/engagement-templates.ts'
import { type KeeperType, keeperTypes } from '#contract/keepers/keeper-types.ts'
import { call, getServerMessage } from '#web/api/api.ts'
import { keeperTypesKey, templatesOfTypeQuery } from '#web/queries/keeper-types-query.ts'
import { QueryStatus } from '#web/queries/query-status.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { TemplateListItem } from '../templates/template-list-item.tsx'
import { getTestPath, templatesQuery } from '../templates/template-queries.ts'

const loadErrorText = 'Failed to load engagement templates'

export function TypeTemplates({ type }: { type: KeeperType }) {
  const query = useQuery(templatesOfTypeQuery(type.id))
  const templates = query.data
  const [isLinking, setLinking] = useState(false)
  const queryClient = useQueryClient()
  const [failure, setFailure] = useState<string>()
  const unlink = useMutation({
    mutationFn: (template: EngagementTemplate) =>
      call(keeperTypes.unlinkTemplate, { params: { id: type.id, templateId: template.id } }),
    onMutate: () => setFailure(undefined),
    onError: (reason) => setFailure(getServerMessage(reason) ?? 'Failed to unlink the template'),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keeperTypesKey }),
  })

  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <p className="text-ui text-muted-foreground">
          {type.mine
            ? 'Available in all keepers of this type.'
            : 'Available in all keepers of this type. Only the person who created this type can link others.'}
        </p>
        {type.mine && (
          <Button onClick={() => setLinking(true)} icon={<Link2 aria-hidden size={15} />}>
            Link Template
          </Button>
        )}
      </div>
      {failure && (
        <Banner tone="error" className="mb-4" onDismiss={() => setFailure(undefined)}>
          {failure}
        </Banner>
      )}
      <QueryStatus
        reportsRefetch
        className="mb-4"
        query={query}
        title={getServerMessage(query.error) ?? loadErrorText}
        skeletonClassName="h-40"
      />
      {templates?.length === 0 && (
        <EmptyPanel drawing="letter" title="No engagement templates linked">
          {type.mine
            ? 'Link one to make it available in every keeper of this type.'
            : 'Keepers of this type only have templates linked to them.'}
        </EmptyPanel>
      )}
      {templates && templates.length > 0 && (
        <ul aria-label="Engagement templates" className="border-t border-hairline">
          {templates.map((template) => (
            <TemplateListItem
              key={template.id}
              template={template}
              detail={
                <code className="font-mono text-code text-muted-foreground wrap-break-word">{template.slug}</code>
              }
              badge={template.type}
            >
              <TestButton template={template} />
              {type.mine && (
                <IconButton label={`Unlink ${template.label}`} size="small" onClick={() => unlink.mutate(template)}>
                  <Unlink aria-hidden size={15} />
                </IconButton>
              )}
            </TemplateListItem>
          ))}
        </ul>
      )}
      {isLinking && (
        <LinkTemplateDialog type={type} linkedTemplates={templates ?? []} onClose={() => setLinking(false)} />
      )}
    </>
  )
}

function TestButton({ template }: { template: EngagementTemplate }) {
  const navigate = useNavigate()
  const address = getTestPath(template)
  if (!address) return null
  return (
    <Button
      size="small"
      aria-label={`Test ${template.label}`}
      onClick={() => navigate(address)}
      icon={<FlaskConical aria-hidden size={13} />}
    >
      Test
    </Button>
  )
}

interface LinkTemplateDialogProps {
  type: KeeperType
  linkedTemplates: readonly EngagementTemplate[]
  onClose: () => void
}

/** Templates not linked to this type yet; each is linked immediately. */
function LinkTemplateDialog({ type, linkedTemplates, onClose }: LinkTemplateDialogProps) {
  const queryClient = useQueryClient()
  const [failure, setFailure] = useState<string>()
  const link = useMutation({
    async mutationFn(template: EngagementTemplate) {
      await call(keeperTypes.linkTemplate, { params: { id: type.id, templateId: template.id } })
      await queryClient.invalidateQueries({ queryKey: keeperTypesKey })
    },
    onMutate: () => setFailure(undefined),
    onError: (reason) => setFailure(getServerMessage(reason) ?? 'Failed to link the template'),
  })

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Link Template"
      description={`Templates linked here are available in every keeper of the type ${type.name}.`}
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      {failure && (
        <Banner tone="error" className="mb-3">
          {failure}
        </Banner>
      )}
      <LinkableTemplates
        linkedIds={linkedTemplates.map(({ id }) => id)}
        busyId={link.isPending ? link.variables.id : undefined}
        onLink={link.mutate}
      />
    </Dialog>
  )
}

interface LinkableTemplatesProps {
  linkedIds: readonly string[]
  busyId?: string | undefined
  onLink: (template: EngagementTemplate) => void
}

export function LinkableTemplates({ linkedIds, busyId, onLink }: LinkableTemplatesProps) {
  const query = useQuery(templatesQuery)
  // Only the person's own and system templates can be linked, although others are visible.
  const templates = query.data?.filter(({ id, system, mine }) => (system || mine) && !linkedIds.includes(id))
  return (
    <>
      <QueryStatus
        reportsRefetch
        className="mb-4"
        query={query}
        title={getServerMessage(query.error) ?? loadErrorText}
        skeletonClassName="h-32"
      />
      {templates?.length === 0 && (
        <p className="text-ui text-muted-foreground">All templates you can use are already linked to this type.</p>
      )}
      <ul aria-label="Templates to link">
        {templates?.map((template) => (
          <li key={template.id} className="flex flex-wrap items-center gap-3 border-b border-hairline py-2.5">
            <span className="min-w-0 flex-1">
              <span dir="auto" className="block font-medium wrap-break-word">
                {template.label}
              </span>
              <span className="block text-small text-muted-foreground wrap-break-word">{template.description}</span>
            </span>
            <Badge tone="outlined">{template.type}</Badge>
            <Button
              size="small"
              busy={busyId === template.id}
              aria-label={`Link ${template.label}`}
              onClick={() => onLink(template)}
            >
              Link
            </Button>
          </li>
        ))}
      </ul>
    </>
  )
}
