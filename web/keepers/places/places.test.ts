import { expect, test } from 'vitest'
import { collectPlaces, getPlacesAround } from './places.ts'

const createMoment = (localDate: string, name: string | null, lat?: number | null, lng?: number | null) => ({
  id: localDate,
  localDate,
  place: name === null ? null : { name, lat: lat ?? null, lng: lng ?? null },
})

test('places are ordered by first visit, and one spot is one place', () => {
  const { located, unlocated } = collectPlaces([
    createMoment('2026-05-03', 'The quay', 60.39701, 5.32201),
    createMoment('2026-04-01', 'Home', 60.4, 5.3),
    createMoment('2026-04-02', 'Quay', 60.39699, 5.32199),
    createMoment('2026-04-03', null),
  ])
  expect(located).toMatchObject([
    { name: 'Home', moments: 1, first: '2026-04-01' },
    { name: 'Quay', moments: 2, first: '2026-04-02' },
  ])
  expect(unlocated).toEqual([])
})

test('a place without both coordinates is listed, not drawn', () => {
  const { located, unlocated } = collectPlaces([
    createMoment('2026-01-01', 'Somewhere', 10, null),
    createMoment('2026-01-02', ' somewhere '),
    createMoment('2026-01-03', 'Null Island', 0, 0),
  ])
  expect(located.map(({ name }) => name)).toEqual(['Null Island'])
  expect(unlocated).toMatchObject([{ name: 'Somewhere', moments: 2 }])
})

test('each zoom step quarters the radius, also across the date line', () => {
  const createPlace = (name: string, lat: number, lng: number) => ({ name, lat, lng })
  const home = createPlace('Home', 0, 179.9)
  const places = [
    home,
    createPlace('Shop', 0.01, 179.9),
    createPlace('Town', 0, -179.9),
    createPlace('Abroad', 40, 100),
  ]
  const getNamesAround = (zoomLevel: number) => getPlacesAround(places, home, zoomLevel).map(({ name }) => name)
  expect(getNamesAround(0)).toEqual(['Home', 'Shop', 'Town', 'Abroad'])
  expect(getNamesAround(1)).toEqual(['Home', 'Shop', 'Town'])
  expect(getNamesAround(5)).toEqual(['Home', 'Shop'])
  expect(getNamesAround(8)).toEqual(['Home'])
  expect(getPlacesAround([home], home, 0)).toEqual([home])
})
