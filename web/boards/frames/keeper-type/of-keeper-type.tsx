import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { KeeperType } from '#contract/keepers/keeper-types.ts'
import { keeperTypesQuery } from '#web/keeper-types-query.ts'
import { Button } from '#web/ui/button.tsx'
import { sampleKeeperType } from '../../keeper-type/sample-keeper-type.ts'
import type { FrameBodyProps } from '../frame-bodies.ts'
import { FrameNote } from '../frame-boundary.tsx'
import { FrameGone, FrameQuery } from '../frame-query.tsx'
import { NotByLink } from '../not-by-link.tsx'
import { ownEntityOf } from '../own-entity.ts'

interface OfKeeperTypeProps extends FrameBodyProps {
  children: (type: KeeperType, isSample: boolean) => ReactNode
}

/** Resolves the keeper type of a frame. */
export function OfKeeperType({ children, ...props }: OfKeeperTypeProps) {
  const { surroundings, openSettings } = props
  const id = ownEntityOf('keeper-type', props)
  if (surroundings.mode === 'sample') return children(sampleKeeperType, true)
  return (
    <NotByLink surroundings={surroundings}>
      {id ? (
        <Found id={id} openSettings={openSettings}>
          {(type) => children(type, false)}
        </Found>
      ) : (
        <FrameNote>
          No keeper type chosen yet.
          {openSettings && (
            <Button size="small" className="mt-2.5" onClick={openSettings}>
              Choose One
            </Button>
          )}
        </FrameNote>
      )}
    </NotByLink>
  )
}

interface FoundProps {
  id: string
  openSettings: (() => void) | undefined
  children: (type: KeeperType) => ReactNode
}

function Found({ id, openSettings, children }: FoundProps) {
  const query = useQuery(keeperTypesQuery)
  return (
    <FrameQuery query={query} what="keeper type">
      {(types) => {
        const type = types.find((each) => each.id === id || each.slug === id)
        return type ? children(type) : <FrameGone what="keeper type" onChooseAnother={openSettings} />
      }}
    </FrameQuery>
  )
}
