/** Single-key shortcuts are off while a dialog or menu is open. */
export function isDialogOpen(): boolean {
  return document.querySelector('[role="dialog"],[role="alertdialog"],[role="menu"]') !== null
}
