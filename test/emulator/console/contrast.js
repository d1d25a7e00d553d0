// Runs in the page: lists the texts whose contrast with their background is below `least` (WCAG 2, relative luminance).
(least) => {
  const numbers = (color) => (color.match(/[\d.]+/g) ?? []).map(Number);
  const luminance = ([red, green, blue]) => {
    const linear = (value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    };
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
  };
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = numbers(getComputedStyle(at).backgroundColor);
      if (color.length === 3 || color[3] > 0) return color;
    }
    return [255, 255, 255];
  };
  const hasText = (element) =>
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim() !== "");
  const isSeen = (element) => element.getClientRects().length > 0 && !element.closest(".unseen, .skip");
  return [...document.body.querySelectorAll("*")]
    .filter((element) => hasText(element) && isSeen(element))
    .map((element) => {
      const [light, dark] = [numbers(getComputedStyle(element).color), behind(element)]
        .map(luminance)
        .sort((one, other) => other - one);
      return { text: element.textContent.trim().slice(0, 40), ratio: (light + 0.05) / (dark + 0.05) };
    })
    .filter(({ ratio }) => ratio < least);
};
