export { detectMediaType, sniffedBytes } from '#contract/keepers/detect-media-type.ts'
