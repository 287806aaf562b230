// A figure that a reader can touch. Below its drawing is a button: with it the machine and the
// figure's own script are loaded from the folder live beside the page.
addEventListener("DOMContentLoaded", () =>
  document.querySelectorAll("[data-live]").forEach(offerLive));

const LIVE_TEXT = {
  offer: "Try it: run this on a simulated H200 in this page",
  loading: "Starting the device ...",
  missing: "This needs the folder live beside the page, and a browser with WebAssembly.",
};

// Pages in another language have a folder of their own.
const LIVE_FOLDER = document.documentElement.lang === "en" ? "live" : "../live";

function loadScript(name) {
  const address = `${LIVE_FOLDER}/${name}.js`;
  if (document.querySelector(`script[src="${address}"]`))
    return Promise.resolve();
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = address;
    script.addEventListener("load", resolve);
    script.addEventListener("error", () => reject(new Error(address)));
    document.head.append(script);
  });
}

function offerLive(figure) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "try";
  button.textContent = LIVE_TEXT.offer;
  button.addEventListener("click", async () => {
    button.disabled = true;
    button.textContent = LIVE_TEXT.loading;
    try {
      await loadScript("machine");
      if (figure.dataset.image)
        await loadScript(figure.dataset.image);
      await loadScript(figure.dataset.live);
      await startLive(figure, button);
    } catch (error) {
      button.textContent = `${LIVE_TEXT.missing} (${error.message})`;
    }
  });
  figure.append(button);
}
