import { Copy, Ellipsis, House, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/controls/button.tsx'
import { IconButton } from '../ui/controls/icon-button.tsx'
import { Kbd } from '../ui/controls/kbd.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { ConfirmDialog, MessageDialog } from '../ui/overlays/confirm-dialog.tsx'
import { Dialog } from '../ui/overlays/dialog.tsx'
import { Drawer } from '../ui/overlays/drawer.tsx'
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuSeparator } from '../ui/overlays/menu.tsx'
import { Popover } from '../ui/overlays/popover.tsx'
import { showToast } from '../ui/overlays/show-toast.tsx'
import { Tooltip } from '../ui/overlays/tooltip.tsx'
import { Badge } from '../ui/panels/badge.tsx'
import { Banner } from '../ui/panels/banner.tsx'
import { EmptyPanel } from '../ui/panels/empty-panel.tsx'
import { ErrorPanel } from '../ui/panels/error-panel.tsx'
import { LoadingText } from '../ui/panels/loading-text.tsx'
import { ProgressBar } from '../ui/panels/progress-bar.tsx'
import { SavedLabel } from '../ui/panels/saved-label.tsx'
import { Skeleton, SkeletonGroup } from '../ui/panels/skeleton.tsx'
import { Specimen, SpecimenRow } from './control-specimens.tsx'

const overlays = ['dialog', 'confirm', 'message', 'drawer', 'sheet'] as const

export function OverlaySpecimens() {
  const [opened, setOpened] = useState<(typeof overlays)[number]>()
  const [samples, setSamples] = useState(true)
  const close = (open: boolean) => !open && setOpened(undefined)
  return (
    <Specimen title="Dialogs, menus, drawers">
      <SpecimenRow>
        {overlays.map((overlay) => (
          <Button key={overlay} onClick={() => setOpened(overlay)}>
            Open {overlay}
          </Button>
        ))}
      </SpecimenRow>
      <SpecimenRow>
        <Menu
          align="start"
          trigger={
            <IconButton label="More" outlined>
              <Ellipsis aria-hidden size={16} />
            </IconButton>
          }
        >
          <MenuLabel>Recipe Reader</MenuLabel>
          <MenuItem icon={<Pencil aria-hidden size={15} />} end={<Kbd>E</Kbd>}>
            Edit
          </MenuItem>
          <MenuItem icon={<Copy aria-hidden size={15} />}>Duplicate</MenuItem>
          <MenuItem disabled>Publish</MenuItem>
          <MenuSeparator />
          <MenuChoice checked={samples} onCheckedChange={setSamples}>
            Show samples
          </MenuChoice>
          <MenuItem icon={<House aria-hidden size={15} />} end={<Badge tone="ribbon">Primary</Badge>}>
            Owner.willowbrook
          </MenuItem>
          <MenuSeparator />
          <MenuItem danger onSelect={() => setOpened('confirm')} icon={<Trash2 aria-hidden size={15} />}>
            Delete
          </MenuItem>
        </Menu>
        <Popover label="Source" trigger={<Button>Footnote 1</Button>}>
          <p className="font-serif text-read">The kettle was the first thing he mended.</p>
          <p className="mt-1 text-small text-muted-foreground">Father's Kitchen, Nov 12, 2026</p>
        </Popover>
        <Tooltip label="Collapse sidebar">
          <Button>Tooltip</Button>
        </Tooltip>
      </SpecimenRow>
      <Dialog
        open={opened === 'dialog'}
        onOpenChange={close}
        title="New moment"
        description="A sentence is enough."
        footer={
          <>
            <Button onClick={() => close(false)}>Cancel</Button>
            <Button variant="primary" onClick={() => close(false)}>
              Add
            </Button>
          </>
        }
      >
        <TextField label="Title" required />
        <Popover label="About titles" trigger={<Button className="mt-3">About titles</Button>}>
          A name you would say aloud.
        </Popover>
      </Dialog>
      <ConfirmDialog
        open={opened === 'confirm'}
        onOpenChange={close}
        title="Delete Recipe Reader?"
        confirmLabel="Delete Agent"
        busyLabel="Deleting..."
        onConfirm={() => new Promise((done) => setTimeout(done, 900))}
      >
        The agent and its data will be permanently removed.
      </ConfirmDialog>
      <MessageDialog open={opened === 'message'} onOpenChange={close} message="Failed to add frame to board">
        The board is unchanged. Try again in a moment.
      </MessageDialog>
      <Drawer open={opened === 'drawer'} onOpenChange={close} title="Frame settings">
        <TextField label="Name" defaultValue="Cover" />
      </Drawer>
      <Drawer open={opened === 'sheet'} onOpenChange={close} side="bottom" title="Frame library">
        <p>Media Card, Preview Frame, Dialog Frame</p>
      </Drawer>
    </Specimen>
  )
}

export function NoticeSpecimens() {
  const [saved, setSaved] = useState(false)
  const [failed, setFailed] = useState(true)
  return (
    <>
      <Specimen title="Badges and status">
        <SpecimenRow>
          {(['success', 'info', 'destructive', 'warning'] as const).map((tone) => (
            <Badge key={tone} tone={tone} dot>
              {tone}
            </Badge>
          ))}
          <Badge tone="success">Verified</Badge>
          <Badge tone="ribbon">Primary</Badge>
          <Badge>System</Badge>
          <Badge tone="outlined">SOLE</Badge>
          <Badge mono>gpt-5-mini</Badge>
          <SavedLabel />
        </SpecimenRow>
      </Specimen>
      <Specimen title="Banners, 3 seconds">
        <div className="flex flex-col gap-2">
          {saved && (
            <Banner tone="success" onDismiss={() => setSaved(false)}>
              Profile updated successfully!
            </Banner>
          )}
          <Banner tone="warning">No active platform keys. People without their own key get mock responses.</Banner>
          <Banner tone="info">Showing built-in sample agents. The agent service could not be reached.</Banner>
          {failed && (
            <Banner tone="error" onDismiss={() => setFailed(false)} action={<Button size="small">Retry</Button>}>
              Failed to update role assignment
            </Banner>
          )}
          <SpecimenRow>
            <Button size="small" onClick={() => setSaved(true)}>
              Save
            </Button>
            <Button size="small" onClick={() => setFailed(true)}>
              Fail
            </Button>
          </SpecimenRow>
        </div>
      </Specimen>
      <Specimen title="Error panel">
        <ErrorPanel title="Failed to load keepers" onRetry={() => setFailed(true)} reason={{ requestId: '01JD0Q7V' }}>
          The server didn’t answer. Your entries are safe.
        </ErrorPanel>
      </Specimen>
      <Specimen title="Empty state">
        <EmptyPanel
          title="No agents found"
          action={
            <Button size="small" variant="primary">
              Create New Agent
            </Button>
          }
        >
          An agent reads, drafts or answers on your behalf. Start with one that does a single thing.
        </EmptyPanel>
      </Specimen>
      <Specimen title="Loading">
        <SkeletonGroup className="flex items-center gap-3">
          <Skeleton className="h-14 w-[42px]" />
          <span className="flex-1 space-y-2.5">
            <Skeleton className="h-3.5 w-[46%]" />
            <Skeleton className="h-2.5 w-[82%]" />
            <Skeleton className="h-2.5 w-[64%]" />
          </span>
        </SkeletonGroup>
        <LoadingText />
        <ProgressBar label="Checks" value={5} max={8} valueText="5 of 8 checks" />
      </Specimen>
      <Specimen title="Toast and ribbon">
        <SpecimenRow>
          <Button
            variant="keep"
            onClick={() =>
              showToast(
                <>
                  Kept in <b>The house</b>
                </>,
                { dropsRibbon: true, onUndo: () => showToast('Not kept') },
              )
            }
          >
            Keep
          </Button>
          <Button onClick={() => showToast('Moved to The Harbour Year')}>Move</Button>
        </SpecimenRow>
      </Specimen>
    </>
  )
}
