import { AudioLines, Ellipsis, EyeOff, ImagePlus } from 'lucide-react'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { Menu, MenuChoice, MenuItem } from '#web/ui/overlays/menu.tsx'
import { useJourneys } from '../journeys/journey-queries.ts'
import { FilePicker } from '../media/media-picker.tsx'
import { listSetDetails, type MomentDetail, momentDetails } from './moment-details.ts'
import type { MomentDraft } from './moment-draft.ts'

interface MomentToolsProps {
  keeper: Keeper
  draft: MomentDraft
  openDetail: MomentDetail | null
  /** Closes the panel if it is open. */
  onOpen: (detail: MomentDetail) => void
  panelId: string
  onHiddenFromAiChange: (isHidden: boolean) => void
  onFiles: (files: File[]) => void
}

const rowTools: MomentDetail[] = ['mood', 'place', 'topics']
const menuTools: MomentDetail[] = ['when', 'journey', 'title']
/** More have a row of their own. */
const maxChipsBesideTools = 2
const iconClasses = 'size-4 phone:size-[1.125rem]'
const toolClasses = 'aria-expanded:bg-fill aria-expanded:text-foreground'

/** The tools, and a chip for each value that a moment has besides its text. Both open the panel of a detail. */
export function MomentTools({ onHiddenFromAiChange, onFiles, ...chips }: MomentToolsProps) {
  const { draft, openDetail, onOpen, panelId } = chips
  const isMenuDetailOpen = openDetail !== null && !rowTools.includes(openDetail)
  return (
    <>
      <div data-tools className="flex flex-wrap">
        <FilePicker
          kinds={['image', 'video']}
          label="Picture"
          icon={<ImagePlus aria-hidden className={iconClasses} />}
          onFiles={onFiles}
        />
        <FilePicker
          kinds={['audio']}
          label="Sound"
          icon={<AudioLines aria-hidden className={iconClasses} />}
          onFiles={onFiles}
        />
        {rowTools.map((detail) => {
          const { label, Icon } = momentDetails[detail]
          return (
            <IconButton
              key={detail}
              label={label}
              aria-expanded={openDetail === detail}
              aria-controls={openDetail === detail ? panelId : undefined}
              onClick={() => onOpen(detail)}
              className={toolClasses}
            >
              <Icon aria-hidden className={iconClasses} />
            </IconButton>
          )
        })}
        <Menu
          align="start"
          trigger={
            <IconButton
              label="More"
              title="More: when, journey, title, not for AI"
              data-panel={isMenuDetailOpen ? panelId : undefined}
              className={classNames(toolClasses, isMenuDetailOpen && 'bg-fill text-foreground')}
            >
              <Ellipsis aria-hidden className={iconClasses} />
            </IconButton>
          }
        >
          {menuTools.map((detail) => {
            const { label, Icon } = momentDetails[detail]
            return (
              <MenuItem key={detail} icon={<Icon aria-hidden size={15} />} onSelect={() => onOpen(detail)}>
                {label}
              </MenuItem>
            )
          })}
          <MenuChoice
            icon={<EyeOff aria-hidden size={15} />}
            checked={!draft.aiVisible}
            onCheckedChange={onHiddenFromAiChange}
          >
            {momentDetails.ai.label}
          </MenuChoice>
        </Menu>
      </div>
      <div
        className={classNames(
          'flex min-w-0 flex-1 flex-wrap items-center gap-x-1.5 empty:hidden phone:order-first phone:basis-full phone:px-3',
          listSetDetails(draft).length > maxChipsBesideTools && 'order-first basis-full px-2',
        )}
      >
        <DetailChips {...chips} />
      </div>
    </>
  )
}

type DetailChipsProps = Omit<MomentToolsProps, 'onHiddenFromAiChange' | 'onFiles'>

function DetailChips({ keeper, draft, openDetail, onOpen, panelId }: DetailChipsProps) {
  return listSetDetails(draft).map((detail) => {
    const { label, Icon, format } = momentDetails[detail]
    const text = format(draft)
    return (
      <button
        key={detail}
        type="button"
        aria-expanded={openDetail === detail}
        aria-controls={openDetail === detail ? panelId : undefined}
        onClick={() => onOpen(detail)}
        className="group/chip flex min-h-8 max-w-full min-w-0 items-center rounded-[5px] text-small phone:min-h-10"
      >
        <span className="flex min-h-6 min-w-0 items-center gap-1.5 rounded-[5px] bg-secondary px-2 font-label text-secondary-foreground transition-colors duration-120 group-hover/chip:bg-muted group-aria-expanded/chip:bg-ribbon-soft group-aria-expanded/chip:text-ribbon-text phone:min-h-[1.875rem]">
          <Icon aria-hidden size={13} className="shrink-0" />
          {text !== label && <span className="sr-only">{label}: </span>}
          <span dir="auto" className="max-w-52 truncate">
            {detail === 'journey' && draft.journeyId ? (
              <JourneyTitle keeper={keeper} id={draft.journeyId} placeholder={text} />
            ) : (
              text
            )}
          </span>
        </span>
      </button>
    )
  })
}

function JourneyTitle({ keeper, id, placeholder }: { keeper: Keeper; id: string; placeholder: string }) {
  const { data: journeys } = useJourneys(keeper)
  return journeys?.find((journey) => journey.id === id)?.title ?? placeholder
}
