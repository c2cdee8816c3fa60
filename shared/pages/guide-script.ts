/** Gives each block of code of a guide a button that copies it. Browsers have the clipboard only on secure origins. */
export const guideScript = `for (const block of navigator.clipboard ? document.querySelectorAll('pre') : []) {
  const frame = document.createElement('div')
  const button = document.createElement('button')
  frame.className = 'code'
  button.type = 'button'
  button.textContent = 'Copy'
  button.setAttribute('aria-live', 'polite')
  block.replaceWith(frame)
  frame.append(block, button)
  button.addEventListener('click', async () => {
    const copied = await navigator.clipboard.writeText(block.textContent).then(() => true, () => false)
    button.textContent = copied ? 'Copied' : 'Not copied'
    setTimeout(() => (button.textContent = 'Copy'), 2000)
  })
}
`
