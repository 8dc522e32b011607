import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { EngagementTemplate } from '#contract/keepers/engagement-templates.ts'
import { type KeeperType, keeperTypes } from '#contract/keepers/keeper-types.ts'
import { call, getServerMessage } from '#web/api/api.ts'
import { keeperTypesKey } from '#web/queries/keeper-types-query.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { ErrorPanel } from '#web/ui/panels/error-panel.tsx'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'
import { templatesQuery } from '../templates/template-queries.ts'

interface LinkTemplateDialogProps {
  type: KeeperType
  linked: readonly EngagementTemplate[]
  onClose: () => void
}

/** Templates not linked to this type yet; each is linked immediately. */
export function LinkTemplateDialog({ type, linked, onClose }: LinkTemplateDialogProps) {
  const queryClient = useQueryClient()
  const { data, error, isPending, refetch, isRefetching } = useQuery(templatesQuery)
  const [failure, setFailure] = useState<string>()
  const [busyId, setBusyId] = useState<string>()
  // Only the person's own and system templates can be linked, although others are visible.
  const unlinkedTemplates = data?.filter(
    (template) => (template.system || template.mine) && !linked.some(({ id }) => id === template.id),
  )

  async function link(template: EngagementTemplate) {
    setFailure(undefined)
    setBusyId(template.id)
    try {
      await call(keeperTypes.linkTemplate, { params: { id: type.id, templateId: template.id } })
      await queryClient.invalidateQueries({ queryKey: keeperTypesKey })
    } catch (reason) {
      setFailure(getServerMessage(reason) ?? 'Failed to link the template')
    } finally {
      setBusyId(undefined)
    }
  }

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
      {isPending && <Skeleton className="h-32" />}
      {error && (
        <ErrorPanel
          reason={error}
          title={getServerMessage(error) ?? 'Failed to load engagement templates'}
          onRetry={() => refetch()}
          retrying={isRefetching}
        />
      )}
      {unlinkedTemplates?.length === 0 && (
        <p className="text-ui text-muted-foreground">All templates you can use are already linked to this type.</p>
      )}
      <ul aria-label="Templates to link">
        {unlinkedTemplates?.map((template) => (
          <li key={template.id} className="flex flex-wrap items-center gap-3 border-b border-hairline py-2.5">
            <span className="min-w-0 flex-1">
              <span className="block font-medium wrap-break-word">{template.label}</span>
              <span className="block text-small text-muted-foreground wrap-break-word">{template.description}</span>
            </span>
            <Badge tone="outlined">{template.type}</Badge>
            <Button
              size="small"
              busy={busyId === template.id}
              aria-label={`Link ${template.label}`}
              onClick={() => link(template)}
            >
              Link
            </Button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
