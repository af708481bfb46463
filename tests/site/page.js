// This file is run by walk.py in each page. It returns what can be wrong there, and the page's links.
const width = document.documentElement.clientWidth;

// True if a box around the element scrolls or hides its overflow on purpose. On narrow screens the
// whole article scrolls sideways, which does not count.
function contained(element) {
  for (let box = element; box && box !== document.body && box.tagName !== "ARTICLE"; box = box.parentElement) {
    if (box.classList.contains("content")) return false;
    const style = getComputedStyle(box);
    if (style.overflowX !== "visible" || style.position === "fixed" || style.visibility === "hidden") return true;
  }
  return false;
}

function named(element) {
  const text = (element.innerText || element.getAttribute("alt") || "").trim().slice(0, 40);
  return `<${element.tagName.toLowerCase()} class="${element.getAttribute("class") || ""}"> ${text}`;
}

const wide = [...document.body.querySelectorAll("*")].filter(element => {
  const box = element.getBoundingClientRect();
  return box.width > 0 && box.right > width + 1 && !contained(element);
});
const channels = colour => colour.match(/[\d.]+/g).map(Number);

function luminance(colour) {
  const [red, green, blue] = channels(colour).slice(0, 3).map(
    part => part <= 10 ? part / 3294 : ((part / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function background(element) {
  for (let box = element; box; box = box.parentElement) {
    const colour = getComputedStyle(box).backgroundColor;
    if ((channels(colour)[3] ?? 1) > 0.5) return colour;
  }
  return "rgb(255, 255, 255)";
}

// WCAG's ratio of text and background, 1 to 21.
function contrast(element) {
  const [lighter, darker] = [luminance(getComputedStyle(element).color), luminance(background(element))]
    .sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

const texts = [...document.querySelectorAll("article *")].filter(
  element => [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim()) &&
    element.offsetParent && getComputedStyle(element).userSelect !== "none");
return {
  title: document.title,
  links: [...document.querySelectorAll("a[href]")].map(link => link.href),
  ids: [...document.querySelectorAll("[id], a[name]")].map(element => element.id || element.name),
  pictures: [...document.images].filter(image => !image.complete || !image.naturalWidth).map(image => image.src),
  unnamed: [...document.images].filter(image => !image.hasAttribute("alt")).map(image => image.src),
  // The outermost elements only.
  wide: wide.filter(element => !wide.includes(element.parentElement)).map(named),
  scrolls: document.scrollingElement.scrollWidth > width + 1,
  pale: texts.filter(element => contrast(element) < LEAST).map(
    element => `${contrast(element).toFixed(1)}: ${named(element)}`),
};
