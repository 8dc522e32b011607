import { expect, test } from 'vitest'
import { getScaleBar, labelPlaces, projectPlaces } from './map-projection.ts'

const sheet = { width: 320, height: 200, margin: 30 }
const bergen = { name: 'Bergen', lat: 60.39, lng: 5.32 }
const oslo = { name: 'Oslo', lat: 59.91, lng: 10.75 }
const nice = { name: 'Nice', lat: 43.7, lng: 7.27 }

test('places lie within the sheet, with north up and east to the right', () => {
  const { points } = projectPlaces([bergen, oslo, nice], sheet)
  for (const { x, y } of points) {
    expect(x >= 30 && x <= 290).toBe(true)
    expect(y >= 30 && y <= 170).toBe(true)
  }
  const [west, east, south] = points
  expect(west?.x).toBeLessThan(east?.x ?? 0)
  expect(south?.y).toBeGreaterThan(east?.y ?? 0)
})

test('equal distances east and north are equal on the sheet', () => {
  const { points } = projectPlaces(
    [
      { name: 'West', lat: 60, lng: 0 },
      { name: 'East', lat: 60, lng: 2 },
      { name: 'North', lat: 61, lng: 1 },
    ],
    sheet,
  )
  const [west, east, north] = points
  const distanceEast = (east?.x ?? 0) - (west?.x ?? 0)
  const distanceNorth = (west?.y ?? 0) - (north?.y ?? 0)
  // Two degrees of longitude at 60° are about as long as one of latitude.
  expect(distanceEast / distanceNorth).toBeCloseTo(1, 1)
})

test('a single place, or two at one spot, are centered', () => {
  expect(projectPlaces([bergen], sheet).points).toEqual([{ x: 160, y: 100 }])
  expect(projectPlaces([bergen, bergen], sheet).points[1]).toEqual({ x: 160, y: 100 })
  expect(projectPlaces([], sheet).points).toEqual([])
})

test('places on both sides of the date line are neighbors', () => {
  const { points, metersPerPixel } = projectPlaces(
    [
      { name: 'Suva', lat: -18.14, lng: 178.44 },
      { name: 'Apia', lat: -13.83, lng: -171.77 },
    ],
    sheet,
  )
  expect(points[0]?.x).toBeLessThan(points[1]?.x ?? 0)
  expect(metersPerPixel * 260).toBeLessThan(2_000_000)
})

test('the scale bar uses round lengths', () => {
  expect(getScaleBar(10, 80)).toEqual({ pixels: 50, label: '500 m' })
  expect(getScaleBar(100, 80)).toEqual({ pixels: 50, label: '5 km' })
  expect(getScaleBar(30_000, 80).label).toBe('2,000 km')
  for (const meters of [0.5, 7, 123, 98_765]) expect(getScaleBar(meters, 80).pixels).toBeLessThanOrEqual(80)
})

test('labels sit next to their points without overlap, or are left out', () => {
  const points = [
    { x: 100, y: 100 },
    { x: 130, y: 100 },
    { x: 100, y: 104 },
    { x: 318, y: 10 },
  ]
  const charSize = { width: 6, height: 12 }
  const labels = labelPlaces(
    points,
    ['Home', 'The quay', 'The long long bridge over the fjord', 'Edge'],
    sheet,
    charSize,
  )
  expect(labels[0]?.anchor).toBe('end')
  expect(labels[1]?.anchor).toBe('start')
  expect(labels[3]?.anchor).toBe('end')
  expect(labelPlaces(points.slice(0, 1), ['x'.repeat(200)], sheet, charSize)).toEqual([null])
})
