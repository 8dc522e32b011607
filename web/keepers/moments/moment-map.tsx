import { ChevronLeft, Minus, Plus } from 'lucide-react'
import { useState } from 'react'
import type { Keeper } from '#contract/keepers/keepers.ts'
import type { MomentPlaces } from '#contract/keepers/moments.ts'
import { QueryStatus } from '#web/queries/query-status.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { useViewportClass } from '#web/ui/hooks/use-viewport-class.ts'
import { Card } from '#web/ui/panels/card.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { lazyComponent } from '#web/ui/panels/lazy-component.tsx'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'
import { formatTime } from '#web/ui/text/format-time.ts'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { PlaceSketch } from '../places/place-sketch.tsx'
import { getPlacesAround } from '../places/places.ts'
import { useMomentPlaces, useMoments } from './moment-queries.ts'

const EditableTimeline = lazyComponent(
  async () => (await import('./editable-timeline.tsx')).EditableTimeline,
  <Skeleton className="h-24" />,
)

type VisitedPlace = MomentPlaces['places'][number]
type MappedPlace = VisitedPlace & { lat: number; lng: number }

const sheetSizes = {
  wide: { width: 640, height: 360, margin: 56 },
  phone: { width: 358, height: 300, margin: 40 },
}
const initialPlaceCount = 40

interface MomentMapProps {
  keeper: Keeper
  /** The selected place; `undefined` shows all places. */
  spot: string | undefined
  onSpotChange: (spot: string | undefined) => void
  openTopic: (name: string) => void
}

export function MomentMap({ keeper, spot, onSpotChange, openTopic }: MomentMapProps) {
  const query = useMomentPlaces(keeper)
  const status = (
    <QueryStatus
      reportsRefetch
      className="mb-4"
      query={query}
      title="Places couldn’t be loaded"
      skeletonClassName="h-96"
    />
  )
  if (!query.data) return status
  const { places, isWhole } = query.data
  if (places.length === 0)
    return (
      <>
        {status}
        <EmptyPanel drawing="path" title="No places yet">
          Add a place when you write a moment. With “Use my location” it also appears on this map.
        </EmptyPanel>
      </>
    )
  const chosenPlace = places.find((place) => place.spot === spot)
  return (
    <>
      {status}
      <div className="grid grid-cols-1 gap-x-[52px] gap-y-6 min-[1180px]:grid-cols-[minmax(0,788px)_minmax(240px,1fr)]">
        <div className="flex min-w-0 flex-col gap-6">
          <PlacesSketch places={places} chosenPlace={chosenPlace} />
          {chosenPlace && (
            <PlaceMoments
              key={chosenPlace.spot}
              keeper={keeper}
              openTopic={openTopic}
              place={chosenPlace}
              onShowAll={() => onSpotChange(undefined)}
            />
          )}
        </div>
        <PlaceList
          places={places}
          isWhole={isWhole}
          chosenPlace={chosenPlace}
          onSpotChange={onSpotChange}
          className={chosenPlace ? 'max-[1179px]:hidden' : ''}
        />
      </div>
    </>
  )
}

const isMapped = (place: VisitedPlace): place is MappedPlace => place.lat !== null && place.lng !== null
const sortByMoments = <P extends VisitedPlace>(places: readonly P[]): P[] =>
  places.toSorted((a, b) => b.moments - a.moments || (a.last < b.last ? 1 : -1))

function PlacesSketch({
  places,
  chosenPlace,
}: {
  places: readonly VisitedPlace[]
  chosenPlace: VisitedPlace | undefined
}) {
  const [zoomLevel, setZoomLevel] = useState(0)
  const sheet = useViewportClass() === 'phone' ? sheetSizes.phone : sheetSizes.wide
  const mappedPlaces = places.filter(isMapped)
  const centerPlace = mappedPlaces.find((place) => place === chosenPlace) ?? sortByMoments(mappedPlaces)[0]
  if (!centerPlace) return null
  const visiblePlaces = getPlacesAround(mappedPlaces, centerPlace, zoomLevel)
  return (
    <Card kind="paper" padded={false} className="relative overflow-hidden">
      <PlaceSketch
        places={visiblePlaces}
        sheet={sheet}
        ink="var(--k-primary)"
        chosenPlace={chosenPlace && centerPlace}
      />
      {mappedPlaces.length > 1 && (
        <div data-chrome className="absolute inset-e-2 bottom-2 flex gap-1">
          <IconButton label="Zoom out" onClick={() => setZoomLevel(zoomLevel - 1)} disabled={zoomLevel === 0}>
            <Minus aria-hidden size={14} />
          </IconButton>
          <IconButton
            label={`Zoom in on ${centerPlace.name}`}
            onClick={() => setZoomLevel(zoomLevel + 1)}
            disabled={visiblePlaces.length === 1}
          >
            <Plus aria-hidden size={14} />
          </IconButton>
        </div>
      )}
    </Card>
  )
}

interface PlaceListProps extends MomentPlaces {
  chosenPlace: VisitedPlace | undefined
  onSpotChange: (spot: string) => void
  className: string
}

function PlaceList({ places, isWhole, chosenPlace, onSpotChange, className }: PlaceListProps) {
  const [showsAll, setShowsAll] = useState(false)
  const sortedPlaces = sortByMoments(places)
  const visiblePlaces = showsAll ? sortedPlaces : sortedPlaces.slice(0, initialPlaceCount)
  return (
    <section aria-label="Places" className={className}>
      <ul>
        {visiblePlaces.map((place) => (
          <li key={place.spot} className="border-b border-hairline">
            <button
              type="button"
              aria-pressed={place === chosenPlace}
              onClick={() => onSpotChange(place.spot)}
              className="flex min-h-11 w-full flex-col items-start rounded-xs py-2 text-start text-ui wrap-anywhere hover:bg-muted aria-pressed:font-semibold"
            >
              {place.name}
              <span className="text-small font-normal text-muted-foreground">{formatVisits(place)}</span>
            </button>
          </li>
        ))}
      </ul>
      {!showsAll && sortedPlaces.length > visiblePlaces.length && (
        <Button className="mt-4" onClick={() => setShowsAll(true)}>
          All {sortedPlaces.length.toLocaleString('en-US')} places
        </Button>
      )}
      {!isWhole && (
        <p className="mt-3 text-small text-muted-foreground">
          Showing only your {places.length.toLocaleString('en-US')} most recent places.
        </p>
      )}
    </section>
  )
}

const formatVisitDay = (text: string) => formatTime(`${text}T12:00:00`)

function formatVisits({ moments, first, last }: VisitedPlace): string {
  const count = pluralize(moments, 'moment')
  return first === last
    ? `${count}, ${formatVisitDay(first)}`
    : `${count}, ${formatVisitDay(first)} to ${formatVisitDay(last)}`
}

interface PlaceMomentsProps {
  keeper: Keeper
  place: VisitedPlace
  onShowAll: () => void
  openTopic: (name: string) => void
}

function PlaceMoments({ keeper, place, onShowAll, openTopic }: PlaceMomentsProps) {
  const query = useMoments(keeper, { spot: place.spot })
  return (
    <section aria-label={place.name} className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 dir="auto" className="wrap-anywhere">
          {place.name}
        </h2>
        <Button data-chrome size="small" icon={<ChevronLeft aria-hidden size={13} />} onClick={onShowAll}>
          All places
        </Button>
      </div>
      <QueryStatus query={query} title="Moments couldn’t be loaded" skeletonClassName="h-24" />
      {query.data && <EditableTimeline keeper={keeper} items={query.items} list={query} openTopic={openTopic} />}
    </section>
  )
}
